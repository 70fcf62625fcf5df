@NullMarked
package dev.waybill.benchmarks;

import org.jspecify.annotations.NullMarked;
