//! Bindings: each converts, detaches, calls and wraps; the core computes, the engine runs over many.
#![allow(clippy::needless_pass_by_value, reason = "pyo3 hands arguments over by value")]

mod arrow;
mod arrow_table;
mod code;
mod columns;
mod docling;
mod elements;
mod embedder;
mod error;
mod gate;
mod gil;
mod heading_paths;
mod identity;
mod json;
mod langchain;
mod languages;
mod measure;
mod minhash;
mod numbers;
mod pdf;
mod quotes;
mod resync;
mod retrieval;
mod semchunk;
mod sentences;
mod stop;
mod strategies;
mod strings;
mod unstructured;
mod vectors;

use pyo3::prelude::*;

/// The compiled core of chunkwright.
#[pymodule(gil_used = false)]
mod _core {
    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_export]
    use super::arrow::batch::ArrowBatch;
    #[pymodule_export]
    use super::arrow::{no_rows, row_columns};
    #[pymodule_export]
    use super::arrow_table::{ArrowPlan, ArrowStream};
    #[pymodule_export]
    use super::code::{add_grammar, outline};
    #[pymodule_export]
    use super::columns::Boundaries;
    #[pymodule_export]
    use super::columns::Columns;
    #[pymodule_export]
    use super::docling::{DoclingChunks, DoclingDocument, docling_hybrid, docling_lines};
    #[pymodule_export]
    use super::elements::{
        Elements, boxes_in, elements_of_file, input_kind, input_kinds, pages_in, signature,
        told_encoding,
    };
    #[pymodule_export]
    use super::embedder::Embedder;
    #[pymodule_export]
    use super::gate::check_signals_of_python;
    #[pymodule_export]
    use super::heading_paths::HeadingPaths;
    #[pymodule_export]
    use super::identity::{chunk_id, content_hashes, document_id};
    #[pymodule_export]
    use super::json::{has_yaml_places, json_pointers};
    #[pymodule_export]
    use super::langchain::{LangChainLengths, LangChainPlan, langchain_windows};
    #[pymodule_export]
    use super::languages::{code_language_of, code_languages};
    #[pymodule_export]
    use super::measure::tokenizer::{TokenIndex, Tokenizer};
    #[pymodule_export]
    use super::measure::unit::{Unit, checked_size, longest};
    #[pymodule_export]
    use super::minhash::{
        contradiction, jaccard_similarity, minhash_candidates, minhash_signatures, near_duplicates,
        numberings,
    };
    #[pymodule_export]
    use super::numbers::column::{Column, FloatColumn};
    #[pymodule_export]
    use super::numbers::matrix::Matrix;
    #[pymodule_export]
    use super::pdf::{check_pdf, pdfium_functions, read_pdf, read_pictures};
    #[pymodule_export]
    use super::quotes::{QuoteFilter, QuoteIndex, compare_quote, min_quote_bytes};
    #[pymodule_export]
    use super::resync::resync;
    #[pymodule_export]
    use super::retrieval::bm25::{
        Bm25, Bm25Context, Bm25Fields, Bm25Segment, bm25_fields, check_field_weight,
    };
    #[pymodule_export]
    use super::retrieval::evaluation::{
        Excerpts, Places, all_occurrences, first_occurrences, next_occurrences,
    };
    #[pymodule_export]
    use super::retrieval::ranking::{
        Groups, Neighbours, cosines, fuse_ranks, fuse_scores, smooth_scores, smooth_vectors,
        standardised, top_k,
    };
    #[pymodule_export]
    use super::retrieval::slots::{HalfBlock, Slots, to_halves};
    #[pymodule_export]
    use super::semchunk::{semchunk, semchunk_v3};
    #[pymodule_export]
    use super::sentences::{markup_separators, sentence_ends, sentence_languages};
    #[pymodule_export]
    use super::stop::Stop;
    #[pymodule_export]
    use super::strategies::batch::available_workers;
    #[pymodule_export]
    use super::strategies::options::{check_options, family_options, strategies, strategy_options};
    #[pymodule_export]
    use super::strategies::{Cutter, Pieces};
    #[pymodule_export]
    use super::unstructured::{
        ElementClasses, ElementKinds, TableGrid, UnstructuredChunks, UnstructuredCutter,
        UnstructuredElements, UnstructuredJson, native_dicts, reconstruct_table, split_markdown,
        split_rows, split_table,
    };
    #[pymodule_export]
    use super::vectors::{breakpoint_threshold, cluster_ends, neighbour_distances};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::silence_guarded_panics();
        module.add("DEFAULT_MAX_TOKENS", chunkwright_engine::options::DEFAULT_MAX_TOKENS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Lets no panic be printed that is caught. The hook is this extension's own, not the process's.
fn silence_guarded_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !chunkwright_text::panics::is_guarded() {
            usual(info);
        }
    }));
}
