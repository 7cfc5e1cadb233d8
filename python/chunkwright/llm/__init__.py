"""Language models: one protocol, adapters, and runs of many requests."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "anthropic": ["AnthropicChat"],
        "function": ["Function", "as_language_model"],
        "ledger": ["Budget", "Estimate", "Ledger", "Prices"],
        "openai": ["OpenAIChat"],
        "prompt": ["Prompt"],
        "protocol": [
            "LanguageModel",
            "LanguageModelLike",
            "Message",
            "ModelAccessError",
            "Reply",
            "Usage",
        ],
        "replies": ["replies_folder"],
        "request": ["Answer", "InvalidReplyError", "Request"],
        "runner": ["Runner", "RunnerLike", "as_runner"],
        "settings": ["runner_of"],
    },
)
