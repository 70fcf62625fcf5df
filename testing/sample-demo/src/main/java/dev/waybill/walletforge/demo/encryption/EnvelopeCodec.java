package dev.waybill.walletforge.demo.encryption;

import dev.waybill.inbox.FailureKind;
import dev.waybill.inbox.FailurePolicy;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.walletforge.demo.encryption.DataKeys.DataKey;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts bodies with AES-256-GCM, as the package says. An encrypted body is the nonce (12 bytes), the ciphertext
 * and the tag (16 bytes). Immutable but for its data keys; thread-safe.
 *
 * <pre>{@code
 * var codec = EnvelopeCodec.of(KeyFiles.in(Path.of("/run/secrets/wallet-keys")), Set.of("wallet-tx"));
 * Outbox.builder().codec(codec)
 * InboxConsumer.builder(pool).codec(codec).failures(EnvelopeCodec.FAILURES)
 * }</pre>
 */
public final class EnvelopeCodec implements PayloadCodec {
    /**
     * A message that was changed, or is no encrypted one, has failed at once; one whose key is gone is tried for a
     * while.
     */
    public static final FailurePolicy FAILURES =
            thrown -> thrown instanceof TamperedMessageException || thrown instanceof NotEncryptedException
                    ? Optional.of(FailureKind.PERMANENT)
                    : Optional.empty();

    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MESSAGES = 1_000;
    private static final Duration TIME = Duration.ofMinutes(5);

    private final DataKeys keys;
    private final Set<String> destinations;
    private final boolean plainTextToo;

    private EnvelopeCodec(DataKeys keys, Set<String> destinations, boolean plainTextToo) {
        this.keys = keys;
        this.destinations = Set.copyOf(destinations);
        this.plainTextToo = plainTextToo;
    }

    /**
     * A codec whose data keys are for 1,000 messages and five minutes.
     *
     * @param destinations whose messages it opens: those that the consumer receives from, and those whose messages
     *     an operator may bring there. It encrypts for any
     */
    public static EnvelopeCodec of(KeyEncryption keys, Set<String> destinations) {
        return of(keys, destinations, MESSAGES, TIME, System::nanoTime);
    }

    /** A codec with other bounds of a data key. */
    static EnvelopeCodec of(
            KeyEncryption keys, Set<String> destinations, int messages, Duration time, LongSupplier nanos) {
        return new EnvelopeCodec(new DataKeys(keys, messages, time, nanos), destinations, false);
    }

    /**
     * The same, which lets plain messages pass as they are: for the time in which those that were written before
     * encryption are still under way. As long as it is so, whoever may send can send plain text.
     */
    public EnvelopeCodec withPlainTextToo() {
        return new EnvelopeCodec(keys, destinations, true);
    }

    @Override
    public Encoded encode(OutboxMessage message) {
        DataKey dataKey = keys.next();
        var envelope = new Envelope(dataKey.wrapped(), message.destination());
        byte[] bound = envelope.bound(
                message.id(),
                message.session().orElse(null),
                message.subject().orElse(null),
                message.contentType().orElse(null));
        var nonce = new byte[NONCE_BYTES];
        keys.nonce(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, dataKey.key(), nonce, bound);
            byte[] plain = message.body();
            byte[] body = Arrays.copyOf(nonce, NONCE_BYTES + cipher.getOutputSize(plain.length));
            cipher.doFinal(plain, 0, plain.length, body, NONCE_BYTES);
            return new Encoded(body, envelope.headers());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(message + " could not be encrypted", e);
        }
    }

    @Override
    public byte[] decode(Received message) {
        if (!Envelope.isOn(message)) {
            return plain(message);
        }
        Envelope envelope = Envelope.of(message);
        requireOurs(message, envelope);
        byte[] body = message.body();
        if (body.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
            throw new TamperedMessageException("Message '" + message.id() + "' has no encrypted body", null);
        }
        byte[] bound = envelope.bound(message.id(), message.session(), message.subject(), message.contentType());
        try {
            byte[] nonce = Arrays.copyOf(body, NONCE_BYTES);
            return cipher(Cipher.DECRYPT_MODE, keys.open(envelope.wrapped()), nonce, bound)
                    .doFinal(body, NONCE_BYTES, body.length - NONCE_BYTES);
        } catch (AEADBadTagException e) {
            throw new TamperedMessageException(
                    "Message '" + message.id()
                            + "' is not as it was written: its body, id, session, subject, content type "
                            + "or what names its key is another",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Message '" + message.id() + "' could not be decrypted", e);
        }
    }

    private byte[] plain(Received message) {
        if (!plainTextToo) {
            throw new NotEncryptedException(
                    "Message '" + message.id() + "' is not encrypted, and only encrypted ones are taken here");
        }
        return message.body();
    }

    private void requireOurs(Received message, Envelope envelope) {
        if (!destinations.contains(envelope.destination())) {
            throw new TamperedMessageException(
                    "Message '" + message.id() + "' was written for '" + envelope.destination()
                            + "', and only those for " + destinations + " are taken here",
                    null);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, byte[] bound) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(bound);
        return cipher;
    }
}
