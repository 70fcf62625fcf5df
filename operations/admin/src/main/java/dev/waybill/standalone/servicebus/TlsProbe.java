package dev.waybill.standalone.servicebus;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Begins TLS as the SDK does, by the JVM's trust store, since the SDK reports an untrusted certificate as silence. */
final class TlsProbe {
    private static final int DEEPEST = 20;
    private static final String ADVICE = ": give the JVM its issuer by -Djavax.net.ssl.trustStore";

    private final String host;
    private final int port;

    TlsProbe(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** What fails on a new connection, which ends; empty if nothing does, or no answer comes in time. */
    Optional<Failure> failure(Socket connected) {
        X509ExtendedTrustManager trusted;
        try {
            trusted = trusted();
        } catch (GeneralSecurityException e) {
            return Optional.of(new Failure("the trust store of the JVM cannot be read: " + last(e).getMessage(), true));
        }
        var shown = new Shown(trusted);
        try (SSLSocket socket =
                (SSLSocket) context(shown).getSocketFactory().createSocket(connected, host, port, true)) {
            SSLParameters checked = socket.getSSLParameters();
            checked.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(checked);
            socket.startHandshake();
            return Optional.empty();
        } catch (IOException | GeneralSecurityException e) {
            return words(e, shown);
        }
    }

    private Optional<Failure> words(Exception failure, Shown shown) {
        if (has(failure, SocketTimeoutException.class)) {
            return Optional.empty();
        }
        @Nullable Exception refused = shown.refused;
        if (refused != null) {
            return Optional.of(new Failure(ofCertificate(shown.certificate, refused), true));
        }
        boolean ended = has(failure, EOFException.class) || has(failure, SocketException.class);
        return Optional.of(new Failure(
                "the connection to " + host + ":" + port
                        + (ended ? " ends during the TLS handshake" : " begins no TLS: " + failure.getMessage()),
                false));
    }

    private String ofCertificate(@Nullable X509Certificate certificate, Exception refused) {
        String issuer = certificate == null
                ? ""
                : " (issued by " + certificate.getIssuerX500Principal().getName() + ")";
        String why = String.valueOf(last(refused).getMessage());
        boolean unknown = why.contains("unable to find valid certification path") || why.contains("trustAnchors");
        return "the certificate of " + host + issuer + " is not trusted" + (unknown ? ADVICE : ": " + why);
    }

    private static Throwable last(Throwable failure) {
        return chain(failure).reduce((first, deeper) -> deeper).orElse(failure);
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        return chain(failure).anyMatch(type::isInstance);
    }

    private static Stream<Throwable> chain(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(DEEPEST);
    }

    private static X509ExtendedTrustManager trusted() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("it has no certificates of issuers"));
    }

    private static SSLContext context(TrustManager trust) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {trust}, null);
        return context;
    }

    /** {@code ofTrust}: of the certificate, which no other attempt mends. */
    record Failure(String words, boolean ofTrust) {}

    /** Remembers the certificate that the server shows, and why it is refused. */
    private static final class Shown extends X509ExtendedTrustManager {
        private final X509ExtendedTrustManager trusted;
        private @Nullable X509Certificate certificate;
        private @Nullable Exception refused;

        Shown(X509ExtendedTrustManager trusted) {
            this.trusted = trusted;
        }

        private void check(X509Certificate[] chain, Check check) throws CertificateException {
            certificate = chain[0];
            try {
                check.run();
            } catch (CertificateException | RuntimeException e) {
                refused = e;
                throw e;
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain, () -> trusted.checkServerTrusted(chain, type, socket));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain, () -> trusted.checkServerTrusted(chain, type, engine));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain, () -> trusted.checkServerTrusted(chain, type));
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            trusted.checkClientTrusted(chain, type, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            trusted.checkClientTrusted(chain, type, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            trusted.checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return trusted.getAcceptedIssuers();
        }

        private interface Check {
            void run() throws CertificateException;
        }
    }
}
