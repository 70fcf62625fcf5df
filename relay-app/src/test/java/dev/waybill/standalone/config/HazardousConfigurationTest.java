package dev.waybill.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.standalone.database.Pools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HazardousConfigurationTest {
    @TempDir
    private Path directory;

    private static final String BASE = """
                namespace: { main: { host: a.servicebus.windows.net } }
                destination: { orders: {} }
                """;

    private Configuration read(String yaml, Map<String, String> variables) throws Exception {
        Path file = directory.resolve("w.yaml");
        Files.writeString(file, yaml);
        return Configuration.of(Sources.of(Map.of(), new ProcessEnvironment(Map.of(), variables), Optional.of(file)));
    }

    @Test
    void a_misspelt_variable_whose_value_is_a_url_is_refused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(
                        () -> read(BASE, Map.of("WAYBILL_METRICS_OTLP_ENDPONT", "http://collector:4318/v1/metrics")));
    }

    @Test
    void a_password_file_that_is_empty_at_the_start_is_read_again() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "");
        Configuration configuration = read(
                BASE + "database: { main: { url: 'jdbc:postgresql://h/d', user: u, password-file: '" + secret
                        + "' } }\n",
                Map.of());
        Files.writeString(secret, "geheim");
        try (HikariDataSource pool = Pools.forRelay(configuration.databases().get(0), "one")) {
            assertThat(pool.getCredentialsProvider().getCredentials().getPassword())
                    .isEqualTo("geheim");
        }
    }

    @Test
    void a_password_file_without_a_user_is_read_again() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "old");
        Configuration configuration = read(
                BASE + "database: { main: { url: 'jdbc:postgresql://h/d', password-file: '" + secret + "' } }\n",
                Map.of());
        try (HikariDataSource pool = Pools.forRelay(configuration.databases().get(0), "one")) {
            Files.writeString(secret, "new");
            assertThat(pool.getCredentialsProvider().getCredentials().getPassword())
                    .isEqualTo("new");
        }
    }

    @Test
    void a_secret_in_odd_files_does_not_hang() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "old");
        Secret read = Secret.of(Optional.of(secret), "old");
        Files.write(secret, new byte[] {(byte) 0xff, (byte) 0xfe, 'a'});
        assertThat(read.text()).isEqualTo("old");
        Files.delete(secret);
        Files.createDirectory(secret);
        assertThat(read.text()).isEqualTo("old");
        Files.delete(secret);
        new ProcessBuilder("mkfifo", secret.toString()).start().waitFor();
        assertThat(read.text()).isEqualTo("old");
        Files.delete(secret);
        new ProcessBuilder("truncate", "-s", "3G", secret.toString()).start().waitFor();
        assertThat(read.text()).isEqualTo("old");
        Files.writeString(secret, "\ufeffnew");
        assertThat(read.text()).isEqualTo("new");
    }

    @Test
    void a_password_in_the_host_of_a_url_is_refused_and_not_printed() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(
                        BASE + "database: { main: { url: 'jdbc:postgresql://bob:geheim@db:5432/shop' } }\n", Map.of()))
                .withMessageContaining("database.main.user")
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("geheim"));
    }

    @Test
    void secrets_in_url_parameters_are_not_printed() throws Exception {
        Configuration configuration = read(
                BASE
                        + "database: { main: { url: 'jdbc:postgresql://db/shop?user=a&password=x%26geheim&sslpassword=geheim2&PASSWORD=geheim3' } }\n",
                Map.of());
        assertThat(configuration.print().toString()).doesNotContain("geheim");
    }
}
