/**
 * @file Words of the playground: what it calls each strategy's options, and what it says of them.
 *
 * What stands in no table here is shown by its name, as the service describes it.
 */

/** Options by their names: a label, and a sentence for people who have not read the guides. */
const OPTION_WORDS = {
  max_tokens: ["Largest chunk (tokens)", "No chunk gets larger than this. If both sizes are off, the limit is 512 tokens."],
  max_chars: ["Largest chunk (characters)", "The same limit, counted in characters. Turning this on turns the limit in tokens off."],
  tokenizer: ["Tokens are counted for", "Pick the tokenizer of the model that will read the chunks."],
  soft_max: ["Size to aim for", "A chunk that has reached this size is closed at the next good place, before it hits the limit."],
  min_size: ["Smallest chunk", "Smaller chunks are joined with a neighbour, as long as both fit into one."],
  overlap: ["Overlap", "Each chunk repeats up to this much of the one before it. It counts towards the limit."],
  overlap_at: ["Overlap begins at", "The start of a word, the start of a sentence, or any character."],
  overlap_all: ["Overlap between whole parts, too", "Without this, only the parts of a paragraph that had to be split overlap."],
  split_at: ["Always cut at", "A marker of your own, such as ---, at which a new chunk always begins. For strategies over plain text."],
  keep_mark: ["The marker goes to", "The start of the next chunk, the end of the previous one, or nowhere (drop)."],
  separators: ["Separators", "The places to cut at, best first. Give a language, such as markdown or python, or a list."],
  markup: ["Written in", "Tells what must stay together, such as a heading and its text, or a function and its comments."],
  repeat_headers: ["Repeat table headers", "A table that is split starts with its header row in every chunk."],
  repeat_headings: ["Repeat headings", "Every chunk starts with the headings that it stands under, so it can be understood alone."],
  repeat_heads: ["Repeat enclosing definitions", "A chunk that continues a class or function starts with its first line."],
  always_emit_headings: ["Keep empty headings", "A heading without any text below it becomes a chunk."],
  language: ["Language", "Helps to tell where sentences end. For source code, the programming language."],
  sentences: ["Sentences per chunk", "Every chunk has exactly this many sentences."],
  window: ["Neighbours to look at", "How many sentences on each side are taken into account. More gives fewer, steadier cuts."],
  header_lines: ["Header lines", "Every chunk repeats this many lines from the top of the file."],
  omit_header_on_overflow: ["Drop the header if needed", "A row that fits into a chunk only without the repeated header is kept whole."],
  embedder: ["Embedding model", "Compares what parts say. “lexical” needs no model: it compares the words they share."],
  threshold: ["How the threshold is found", "Cut where the topic changes more than this share, or this spread, of all places."],
  amount: ["Threshold", "Higher means fewer and larger chunks. For a percentile, from 0 to 100."],
  n_chunks: ["Number of chunks", "Cut into about this many chunks, wherever the topic changes most."],
  piece_max: ["Smallest unit", "Sentences are joined up to this size before they are compared."],
  target: ["The size is meant for", "The average chunk, or the largest one (max)."],
  target_size: ["Wanted size", "The size that cuts are chosen for."],
  mean: ["Compare with", "The whole document (global), or only the surrounding text (local)."],
  merge_list_items: ["Keep lists together", "The items of a list are one chunk, if they fit."],
  merge_peers: ["Join short neighbours", "Paragraphs under the same heading share a chunk, if they fit."],
  syntax: ["Format", "JSON, or YAML."],
  isolate_tables: ["Tables stand alone", "A table is never in a chunk with other text."],
  skip_tables: ["Never split tables", "Tables stay whole even if they exceed the limit. Such chunks are marked."],
  multipage_sections: ["Sections may cross pages", "Without this, every page begins a new chunk."],
  similarity_threshold: ["How similar", "Neighbours are joined if they are at least this similar, from 0 to 1."],
  list_max: ["Largest whole list", "Lists up to this size are not split."],
  table_max: ["Largest whole table", "Tables up to this size are not split."],
  merge_at: ["Join if this similar", "Neighbours under one heading are joined if they are at least this similar, from −1 to 1."],
  split_above: ["Split texts over", "Longer texts are split between sentences where their topic changes."],
};

/** Strategies by their names: what they do, and for what. */
const STRATEGY_WORDS = {
  auto: "Picks the strategy that suits the document: structure, code, data or plain text. A good first choice.",
  recursive: "Cuts at paragraphs, then lines, then sentences, then words: whatever comes first within the limit.",
  sentence: "Fills each chunk with whole sentences.",
  balanced: "Makes chunks of similar size that begin at strong boundaries. Stable when a text is edited.",
  window: "Cuts every so many tokens, wherever that is. A baseline to compare others with.",
  line_based: "Cuts between lines. For logs, lists and records.",
  code: "Cuts source code between its functions and classes.",
  kamradt: "Cuts between sentences where the topic changes sharply. Better with an embedding model.",
  kamradt_modified: "Cuts where the topic changes most, so that chunks have the size you want.",
  cluster: "Puts together what is about the same topic, over the whole document.",
  discontinuity: "Cuts where the text before and the text after have least in common.",
  hierarchical: "One chunk for each paragraph, list or table, under its headings.",
  hybrid: "Joins paragraphs under one heading until the chunk is full. For documents with headings.",
  json: "Cuts JSON or YAML between its entries. Every chunk is valid by itself.",
  basic: "Fills each chunk with whole paragraphs, lists and tables, regardless of headings.",
  by_title: "Begins a new chunk at each heading.",
  by_page: "Never joins text of two pages.",
  by_similarity: "Joins neighbouring paragraphs that say similar things.",
  structural: "Keeps sections, lists and tables together, and joins small sections that belong together.",
};

/** What an option is called. */
function labelOf(name) { return OPTION_WORDS[name]?.[0] ?? name; }

/** What is said of an option. @param {string} name @param {string} described  By the service. */
function aboutOption(name, described) { return OPTION_WORDS[name]?.[1] ?? described; }

/** What is said of a strategy. @param {string} name @param {string} described  By the service. */
function aboutStrategy(name, described) { return STRATEGY_WORDS[name] ?? described; }
