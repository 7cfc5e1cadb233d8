from chunkwright.retrieval.rerank.cached import CachedReranker as CachedReranker
from chunkwright.retrieval.rerank.cross_encoder import CrossEncoder as CrossEncoder
from chunkwright.retrieval.rerank.endpoint import RerankEndpoint as RerankEndpoint
from chunkwright.retrieval.rerank.protocol import Reranker as Reranker
from chunkwright.retrieval.rerank.protocol import RerankerLike as RerankerLike
from chunkwright.retrieval.rerank.protocol import as_reranker as as_reranker

__all__: list[str]
