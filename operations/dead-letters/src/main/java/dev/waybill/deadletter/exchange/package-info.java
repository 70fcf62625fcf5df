/**
 * Imports dead letters from lines of JSON.
 *
 * <p>Lines may come from other systems: their length is bounded, and values that the tables or the broker would not take are refused
 * with the number of the line. A preview runs the same import in a transaction that is rolled back.
 */
@NullMarked
package dev.waybill.deadletter.exchange;

import org.jspecify.annotations.NullMarked;
