/**
 * The verbs {@code status} and {@code watch}. They share one printer, so both show the same rows.
 */
@NullMarked
package dev.waybill.standalone.cli.status;

import org.jspecify.annotations.NullMarked;
