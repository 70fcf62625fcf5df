/** The relay's process as it is deployed: how soon it works, and how much memory it takes. */
@NullMarked
package dev.waybill.benchmarks.process;

import org.jspecify.annotations.NullMarked;
