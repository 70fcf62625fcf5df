/**
 * The tables of dead letters: how a letter is stored, read, and written as a line of JSON.
 *
 * <ol>
 *   <li><b>A letter is two rows</b>, message and state, inserted and deleted in one transaction.
 *   <li><b>Its key is a digest of its place on the broker and its body.</b> A letter that is delivered again is found by it.
 *   <li><b>Whoever stores a message passes {@code erasure_gate}</b>, then asks for orders of erasure in another statement.
 *   <li><b>PostgreSQL plans each statement anew</b>, because tables that were empty yesterday have 100,000 rows today.
 * </ol>
 *
 * <p>Knows only {@code audit} and the values of the API.
 */
@NullMarked
package dev.waybill.deadletter.store;

import org.jspecify.annotations.NullMarked;
