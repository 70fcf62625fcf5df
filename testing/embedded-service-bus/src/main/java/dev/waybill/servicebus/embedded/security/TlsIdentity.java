package dev.waybill.servicebus.embedded.security;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.InstantSource;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A key and a certificate for localhost, 127.0.0.1 and ::1, made for one broker and known to nobody until somebody
 * trusts it. Immutable and thread-safe.
 */
public final class TlsIdentity {
    private static final char[] NO_PASSWORD = new char[0];

    private final KeyPair keys;
    private final X509Certificate certificate;

    private TlsIdentity(KeyPair keys, X509Certificate certificate) {
        this.keys = keys;
        this.certificate = certificate;
    }

    /** A new identity, valid for a year. */
    public static TlsIdentity create() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            return new TlsIdentity(
                    keys, SelfSigned.forThisMachine(keys, InstantSource.system().instant()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java platform cannot make a certificate", e);
        }
    }

    /** The certificate. */
    public X509Certificate certificate() {
        return certificate;
    }

    /** The certificate as text, as other languages' clients read it from a file. */
    public String certificatePem() {
        try {
            String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
            return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A certificate that was decoded can be encoded", e);
        }
    }

    /** The certificate that a server shows to its clients. */
    public SSLContext server() {
        try {
            KeyStore store = store();
            store.setKeyEntry("broker", keys.getPrivate(), NO_PASSWORD, new Certificate[] {certificate});
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, NO_PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A certificate that was just made can be served", e);
        }
    }

    /** The context of a client that trusts this identity, and everything that this Java platform trusts. */
    public SSLContext client() {
        try {
            KeyStore store = store();
            store.setCertificateEntry("broker", certificate);
            X509TrustManager both = new EitherTrust(trust(store), trust(null));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {both}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("A certificate that was just made can be trusted", e);
        }
    }

    /**
     * Adds this identity to the trust of the JVM's default {@code SSLContext}, which Azure's AMQP client library uses. Close the
     * result to restore the previous default.
     */
    public Trusted trustInThisProcess() {
        try {
            SSLContext before = SSLContext.getDefault();
            SSLContext.setDefault(client());
            return () -> SSLContext.setDefault(before);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has a default context", e);
        }
    }

    /** Trust that ends when it is closed. */
    @FunctionalInterface
    public interface Trusted extends AutoCloseable {
        @Override
        void close();
    }

    private static KeyStore store() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, NO_PASSWORD);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        return store;
    }

    private static X509TrustManager trust(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        for (TrustManager manager : managers.getTrustManagers()) {
            if (manager instanceof X509TrustManager found) {
                return found;
            }
        }
        throw new GeneralSecurityException("This Java platform trusts no certificates");
    }
}
