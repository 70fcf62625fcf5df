package dev.waybill.walletforge.demo.encryption;

/**
 * Encrypts data keys with keys that have names. Behind it are files ({@link KeyFiles}), or a vault whose keys
 * never leave it. Thread-safe.
 */
public interface KeyEncryption {
    /**
     * Encrypts a data key with the key that is current now.
     *
     * @throws RuntimeException if that is not possible; the append fails with it, and so does its transaction
     */
    WrappedKey wrap(byte[] dataKey);

    /**
     * The data key.
     *
     * @param wrapped as it came with a message: anybody may have written it
     * @throws UnknownKeyException if its key is not here, or not any more
     * @throws TamperedMessageException if its key did not make it
     */
    byte[] unwrap(WrappedKey wrapped);

    /**
     * An encrypted data key.
     *
     * @param keyId names the key that encrypted it
     */
    // Handed over once and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record WrappedKey(String keyId, byte[] bytes) {}
}
