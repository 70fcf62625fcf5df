/**
 * Load drivers and peers side by side: {@code java -jar benchmarks.jar NAME [--short] [--json FILE]}.
 *
 * <p>Ratios are taken in one run, the two sides in turn, and reported as the median of the rounds with their spread: on a
 * shared machine absolute figures drift more than ratios do. The page {@code docs/contributing/performance.md} says what
 * each figure means.
 */
@NullMarked
package dev.waybill.benchmarks;

import org.jspecify.annotations.NullMarked;
