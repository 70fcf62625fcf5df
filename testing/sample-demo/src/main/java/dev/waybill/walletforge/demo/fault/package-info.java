/**
 * Makes a run honest: a broker that misbehaves, and a relay that is killed.
 *
 * <p>Kills are steered from outside. The relay itself is the one that users run, without a switch for tests in it:
 *
 * <ul>
 *   <li><b>inside a send</b>: the broker stores a batch, keeps its acknowledgement back, and tells; the process is killed;
 *   <li><b>between acknowledgement and settle</b>: the table of positions is locked, so the relay sends, is acknowledged
 *       and waits in its settle; the process is killed, and its database session too, before the lock is given up;
 *   <li><b>at any moment</b>: some time after it has begun to publish.
 * </ul>
 *
 * <p>After the first two kills the broker also throttles sends, drops connections, detaches links, loses acknowledgements
 * and refuses one message for good, so that its wallet is held while the others go on. When all relays have been killed
 * that were to be, an operator sees the hold, has its cause removed and releases it.
 *
 * <p>The consumer's handler goes wrong from the first message on: each thirtieth call throws an Error before or after its
 * effects, throws an InterruptedException, or leaves its thread interrupted. The inbox tries those messages again.
 *
 * <p>The intake waits in portions for the kills, so that there is unpublished work at each of them, however small or
 * large the load and however fast the machine.
 */
@NullMarked
package dev.waybill.walletforge.demo.fault;

import org.jspecify.annotations.NullMarked;
