/**
 * One loop for all destinations of a relay, and the threads around it.
 *
 * <pre>
 *   turn:  take back results ──▶ settle ──▶ claim, give up ──▶ read ──▶ held messages ──▶ send
 * </pre>
 *
 * <p>A turn is a plain method that tests call. It waits for nothing but the database; publishers answer on their own threads, and
 * wake the loop.
 */
@NullMarked
package dev.waybill.relay.loop;

import org.jspecify.annotations.NullMarked;
