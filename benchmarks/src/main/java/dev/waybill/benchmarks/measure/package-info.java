/** How a benchmark measures and reports: rounds, medians, figures, the machine. */
@NullMarked
package dev.waybill.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
