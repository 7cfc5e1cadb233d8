"""Language models: one protocol, adapters, and runs of many requests."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "anthropic": ["AnthropicChat"],
        "function": ["Function"],
        "ledger": ["Budget", "Estimate", "Ledger", "Prices"],
        "models": ["as_language_model"],
        "openai": ["OpenAIChat"],
        "prompt": ["Prompt"],
        "protocol": [
            "LanguageModel",
            "LanguageModelLike",
            "Message",
            "ModelAccessError",
            "RefusalError",
            "Reply",
            "Usage",
        ],
        "replies": ["replies_folder"],
        "request": ["Answer", "InvalidReplyError", "Request"],
        "runner": ["Runner", "RunnerLike", "as_runner"],
        "settings": ["runner_of"],
    },
)
