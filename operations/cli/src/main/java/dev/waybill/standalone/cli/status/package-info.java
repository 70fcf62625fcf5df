/**
 * The verbs that report state and change nothing: {@code status}, {@code watch}, {@code health}, {@code doctor}, and
 * the groups of {@code monitor}.
 * {@code status} and {@code watch} share one printer, so both show the same rows.
 */
@NullMarked
package dev.waybill.standalone.cli.status;

import org.jspecify.annotations.NullMarked;
