/**
 * The tables of dead letters: rows, keys, lines of JSON, and orders of erasure.
 *
 * <p>A letter is two rows, message and state, inserted and deleted in one transaction. Its key is a digest of its place on the broker
 * and its body, so that a second delivery is found. Writers of messages pass {@code erasure_gate} first. PostgreSQL plans each
 * statement anew. Knows only {@code audit} and values of the API.
 */
@NullMarked
package dev.waybill.deadletter.store;

import org.jspecify.annotations.NullMarked;
