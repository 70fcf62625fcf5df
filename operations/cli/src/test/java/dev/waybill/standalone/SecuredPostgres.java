package dev.waybill.standalone;

import dev.waybill.embedded.postgres.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL that asks every role but its owner for a password, and speaks TLS with a certificate for localhost. */
public final class SecuredPostgres implements AutoCloseable {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final PostgresServer server;
    private final Path certificate;

    private SecuredPostgres(PostgresServer server, Path certificate) {
        this.server = server;
        this.certificate = certificate;
    }

    /** Starts it with its files in a folder. */
    public static SecuredPostgres start(Path folder) {
        try {
            Path store = folder.resolve("server.p12");
            generate(store);
            var keys = KeyStore.getInstance("PKCS12");
            try (var in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD);
            }
            Path certificate = pem(
                    folder.resolve("server.crt"),
                    "CERTIFICATE",
                    keys.getCertificate("server").getEncoded());
            Path key = pem(
                    folder.resolve("server.key"),
                    "PRIVATE KEY",
                    keys.getKey("server", PASSWORD).getEncoded());
            Path rules = Files.writeString(folder.resolve("pg_hba.conf"), """
                    local all all trust
                    host all postgres 127.0.0.1/32 trust
                    host all all 127.0.0.1/32 scram-sha-256
                    """);
            return new SecuredPostgres(
                    PostgresServer.embedded(Map.of(
                            "hba_file", rules.toString(),
                            "ssl", "on",
                            "ssl_cert_file", certificate.toString(),
                            "ssl_key_file", key.toString())),
                    certificate);
        } catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void generate(Path store) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/keytool",
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new AssertionError("keytool: " + said);
        }
    }

    private static Path pem(Path file, String kind, byte[] encoded) throws IOException {
        String text = "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
                + "\n-----END " + kind + "-----\n";
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** The server, for its owner. */
    public PostgresServer server() {
        return server;
    }

    /** The certificate as PEM. */
    public Path certificate() {
        return certificate;
    }

    /** The URL without user and password, on a host name. */
    public String urlAt(String host) {
        return server.jdbcUrl().replaceFirst("\\?.*", "").replace("localhost", host);
    }

    @Override
    public void close() {
        server.close();
    }
}
