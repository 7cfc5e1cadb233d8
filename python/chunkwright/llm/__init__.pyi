from chunkwright.llm.anthropic import AnthropicChat as AnthropicChat
from chunkwright.llm.function import Function as Function
from chunkwright.llm.ledger import Budget as Budget
from chunkwright.llm.ledger import Ledger as Ledger
from chunkwright.llm.ledger import Prices as Prices
from chunkwright.llm.openai import OpenAIChat as OpenAIChat
from chunkwright.llm.protocol import LLM as LLM
from chunkwright.llm.protocol import LLMLike as LLMLike
from chunkwright.llm.protocol import Message as Message
from chunkwright.llm.protocol import ModelAccessError as ModelAccessError
from chunkwright.llm.protocol import Reply as Reply
from chunkwright.llm.protocol import Usage as Usage
from chunkwright.llm.protocol import as_llm as as_llm
from chunkwright.llm.request import Answer as Answer
from chunkwright.llm.request import InvalidReplyError as InvalidReplyError
from chunkwright.llm.request import Request as Request
from chunkwright.llm.runner import Runner as Runner

__all__: list[str]
