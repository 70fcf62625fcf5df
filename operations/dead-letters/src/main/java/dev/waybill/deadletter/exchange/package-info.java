/**
 * Imports dead letters from lines of JSON, which other systems may have written.
 *
 * <p>The length of a line is bounded. A line with values that the tables or the broker would not take is refused by its number. A
 * preview is an import that is rolled back.
 */
@NullMarked
package dev.waybill.deadletter.exchange;

import org.jspecify.annotations.NullMarked;
