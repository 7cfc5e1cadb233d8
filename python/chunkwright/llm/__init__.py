"""Language models: one protocol, adapters, and runs of many requests."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "anthropic": ["AnthropicChat"],
        "function": ["Function"],
        "ledger": ["Budget", "Ledger", "Prices"],
        "openai": ["OpenAIChat"],
        "protocol": ["LLM", "LLMLike", "Message", "ModelAccessError", "Reply", "Usage", "as_llm"],
        "request": ["Answer", "InvalidReplyError", "Request"],
        "runner": ["Runner"],
    },
)
