from chunkwright.llm.adapters.providers import AnthropicChat as AnthropicChat
from chunkwright.llm.adapters.conversion import Function as Function
from chunkwright.llm.run.ledger import Budget as Budget
from chunkwright.llm.run.ledger import Estimate as Estimate
from chunkwright.llm.run.ledger import Ledger as Ledger
from chunkwright.llm.run.ledger import Prices as Prices
from chunkwright.llm.adapters.providers import OpenAIChat as OpenAIChat
from chunkwright.llm.prompt import Prompt as Prompt
from chunkwright.llm.protocol import LanguageModel as LanguageModel
from chunkwright.llm.protocol import LanguageModelLike as LanguageModelLike
from chunkwright.llm.protocol import Message as Message
from chunkwright.llm.protocol import ModelAccessError as ModelAccessError
from chunkwright.llm.protocol import RefusalError as RefusalError
from chunkwright.llm.protocol import Reply as Reply
from chunkwright.llm.protocol import Usage as Usage
from chunkwright.llm.adapters.conversion import as_language_model as as_language_model
from chunkwright.llm.run.reply_cache import replies_folder as replies_folder
from chunkwright.llm.request import Answer as Answer
from chunkwright.llm.request import InvalidReplyError as InvalidReplyError
from chunkwright.llm.request import Request as Request
from chunkwright.llm.run.runner import Runner as Runner
from chunkwright.llm.run.runner import RunnerLike as RunnerLike
from chunkwright.llm.run.runner import as_runner as as_runner
from chunkwright.llm.settings import runner_of as runner_of

__all__: list[str]
