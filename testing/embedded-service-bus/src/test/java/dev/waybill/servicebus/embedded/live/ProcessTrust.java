package dev.waybill.servicebus.embedded.live;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Lets the client libraries of this process trust one certificate, as an administrator's trust store would. */
final class ProcessTrust implements AutoCloseable {
    private static final String STORE = "javax.net.ssl.trustStore";
    private static final String PASSWORD = "javax.net.ssl.trustStorePassword";
    private static final String SECRET = "no-secret";

    private final SSLContext before;

    private ProcessTrust(SSLContext before) {
        this.before = before;
    }

    /** Trusts this certificate, given as PEM, and no other, until it is closed. */
    static ProcessTrust only(String pem) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, SECRET.toCharArray());
            store.setCertificateEntry(
                    "broker",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            ProcessTrust trust = new ProcessTrust(SSLContext.getDefault());
            // The client for AMQP takes the default context, and the one for HTTP reads the store that the
            // properties name.
            SSLContext.setDefault(context);
            System.setProperty(STORE, written(store).toString());
            System.setProperty(PASSWORD, SECRET);
            return trust;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("The certificate cannot be trusted", e);
        }
    }

    private static Path written(KeyStore store) throws GeneralSecurityException, IOException {
        Path file = Files.createTempFile("live-trust", ".p12");
        file.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, SECRET.toCharArray());
        }
        return file;
    }

    @Override
    public void close() {
        SSLContext.setDefault(before);
        System.clearProperty(STORE);
        System.clearProperty(PASSWORD);
    }
}
