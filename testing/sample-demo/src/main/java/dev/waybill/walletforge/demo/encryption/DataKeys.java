package dev.waybill.walletforge.demo.encryption;

import dev.waybill.walletforge.demo.encryption.KeyEncryption.WrappedKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The data key for the next message, and those of messages that came. Thread-safe. */
final class DataKeys {
    private static final int KEY_BYTES = 32;
    private static final int MOST_KEPT = 1_000;

    private final KeyEncryption keys;
    private final int messages;
    private final long longest;
    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Kept> opened = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
            return size() > MOST_KEPT;
        }
    };

    private @Nullable DataKey current;
    private int uses;

    /**
     * Data keys.
     *
     * @param messages how many a key is for
     * @param time how long a key is used, and an opened one kept: afterwards its key-encryption key is asked again
     */
    DataKeys(KeyEncryption keys, int messages, Duration time, LongSupplier nanos) {
        this.keys = keys;
        this.messages = messages;
        this.longest = time.toNanos();
        this.nanos = nanos;
    }

    /** The key for one more message. */
    synchronized DataKey next() {
        DataKey key = current;
        if (key == null || uses == messages || isOver(key.since())) {
            key = make();
            current = key;
            uses = 0;
        }
        uses++;
        return key;
    }

    private DataKey make() {
        var bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        return new DataKey(new SecretKeySpec(bytes, "AES"), keys.wrap(bytes), nanos.getAsLong());
    }

    /** The key that a message has brought; not asked for while another thread waits for the vault. */
    SecretKey open(WrappedKey wrapped) {
        String name = Base64.getEncoder().encodeToString(wrapped.bytes()) + ' ' + wrapped.keyId();
        synchronized (opened) {
            Kept kept = opened.get(name);
            if (kept != null && !isOver(kept.since())) {
                return kept.key();
            }
        }
        var key = new SecretKeySpec(keys.unwrap(wrapped), "AES");
        synchronized (opened) {
            opened.put(name, new Kept(key, nanos.getAsLong()));
        }
        return key;
    }

    void nonce(byte[] nonce) {
        random.nextBytes(nonce);
    }

    private boolean isOver(long since) {
        return nanos.getAsLong() - since >= longest;
    }

    /**
     * A key for messages.
     *
     * @param since when it was made
     */
    record DataKey(SecretKey key, WrappedKey wrapped, long since) {}

    private record Kept(SecretKey key, long since) {}
}
