/**
 * Answers for a scaler: how much work there is, as one number.
 *
 * <p>Destinations: the status that the relay reads for its metrics anyhow. Sessions: peeked from the broker, at most one walk in
 * {@code SessionWalks.KEPT}, whoever asks. Cheaper answers were not enough:
 *
 * <ul>
 *   <li>The broker's count of messages, as KEDA's own scaler reads it: one session of 10,000 messages starts all replicas.
 *   <li>Rows that relays have published: they do not show what consumers have left.
 *   <li>Sessions that a consumer has accepted: it knows of none beyond its concurrency, and with no replica there is no answer.
 *   <li>A list of sessions from the broker is one request; the SDK (7.17) does not offer it.
 * </ul>
 */
@NullMarked
package dev.waybill.standalone.scale;

import org.jspecify.annotations.NullMarked;
