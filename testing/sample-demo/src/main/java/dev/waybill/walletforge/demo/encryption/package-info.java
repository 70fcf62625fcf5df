/**
 * Encrypted bodies: a {@link dev.waybill.outbox.PayloadCodec} with envelope encryption and rotating keys, by the
 * JDK's own cryptography. A sample to copy and change; see docs/operations/security.md.
 *
 * <ul>
 *   <li>A body is encrypted by AES-256-GCM with a <b>data key</b>; the data key travels with the message, encrypted
 *       ("wrapped") by a named <b>key-encryption key</b>, which never leaves {@link
 *       dev.waybill.walletforge.demo.encryption.KeyEncryption}.
 *   <li>A data key is for 1,000 messages and five minutes, not for one message: the codec runs while the application's
 *       transaction is open, and a vault that is asked for each message would make that transaction as long as its answer.
 *       Each message has a nonce of 96 random bits. With 1,000 messages the chance that two nonces of one key are equal is
 *       below 2<sup>-76</sup>; a counter would repeat itself when a virtual machine goes on from a snapshot.
 *   <li>The logical id, destination, session, subject and content type, which tell a message from others, are
 *       authenticated with its body. A body that was put into another message does not open.
 *   <li>Old messages stay readable as long as the key they name is there. A key that is gone is an
 *       {@link dev.waybill.walletforge.demo.encryption.UnknownKeyException}: the message becomes a dead letter or holds its
 *       session, and can be handled once the key is back.
 * </ul>
 */
@NullMarked
package dev.waybill.walletforge.demo.encryption;

import org.jspecify.annotations.NullMarked;
