/**
 * Serves receivers from acceptance until they are closed: sessions with their messages, and resumed messages.
 *
 * <ol>
 *   <li>A session gets its fencing token before its first message is handled.
 *   <li>A receiver with an unsettled message takes no further one.
 *   <li>A session is given back after its last message, or after five minutes.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.receive;

import org.jspecify.annotations.NullMarked;
