"""Language models: one protocol, adapters, and runs of many requests."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "adapters.conversion": ["Function", "as_language_model"],
        "adapters.providers": ["AnthropicChat", "OpenAIChat"],
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
        "request": ["Answer", "InvalidReplyError", "Request"],
        "run.ledger": ["Budget", "Estimate", "Ledger", "Prices"],
        "run.reply_cache": ["replies_folder"],
        "run.runner": ["Runner", "RunnerLike", "as_runner"],
        "settings": ["runner_of"],
    },
)
