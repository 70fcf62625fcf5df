/**
 * Receivers from acceptance until they are given back: sessions with their messages, and deferred messages that are resumed.
 *
 * <ol>
 *   <li>A session is fenced before the first of its messages is handled.
 *   <li>A receiver with an unsettled message takes no further one.
 *   <li>A session is given back after its last message, or after five minutes.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.receive;

import org.jspecify.annotations.NullMarked;
