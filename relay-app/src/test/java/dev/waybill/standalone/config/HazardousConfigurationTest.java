package dev.waybill.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.Pools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

    private String credentials(DatabaseSettings settings) {
        try (HikariDataSource pool = Pools.forRelay(settings, "one")) {
            return String.valueOf(pool.getCredentials().getPassword());
        }
    }

    @Test
    void a_misspelt_variable_whose_value_is_a_url_is_refused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(BASE, Map.of("WAYBILL_METRICS_OTLP_ENDPONT", "http://collector:4318/v1/metrics")));
    }

    @Test
    void a_password_file_that_is_empty_at_the_start_is_read_again() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "");
        Configuration configuration = read(BASE + "database: { main: { url: 'jdbc:postgresql://h/d', user: u, password-file: '" + secret + "' } }\n", Map.of());
        Files.writeString(secret, "geheim");
        try (HikariDataSource pool = Pools.forRelay(configuration.databases().get(0), "one")) {
            System.out.println("## provider " + pool.getCredentialsProvider() + " password " + pool.getPassword());
            assertThat(pool.getCredentials().getPassword()).isEqualTo("geheim");
        }
    }

    @Test
    void a_password_file_without_a_user_is_read_again() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "old");
        Configuration configuration = read(BASE + "database: { main: { url: 'jdbc:postgresql://h/d', password-file: '" + secret + "' } }\n", Map.of());
        try (HikariDataSource pool = Pools.forRelay(configuration.databases().get(0), "one")) {
            Files.writeString(secret, "new");
            assertThat(pool.getCredentials().getPassword()).isEqualTo("new");
        }
    }

    @Test
    void a_secret_in_odd_files_does_not_hang() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "old");
        Secret read = Secret.of(Optional.of(secret), "old");
        Files.write(secret, new byte[] {(byte) 0xff, (byte) 0xfe, 'a'});
        System.out.println("## not utf8: " + read.text());
        Files.delete(secret);
        Files.createDirectory(secret);
        System.out.println("## directory: " + read.text());
        Files.delete(secret);
        Files.writeString(secret, "\ufeffnew");
        System.out.println("## bom: " + (int) read.text().charAt(0) + " " + read.text().length());
        Files.delete(secret);
        new ProcessBuilder("mkfifo", secret.toString()).start().waitFor();
        var text = CompletableFuture.supplyAsync(read::text);
        try {
            System.out.println("## fifo: " + text.get(3, TimeUnit.SECONDS));
        } catch (java.util.concurrent.TimeoutException e) {
            System.out.println("## fifo: hangs");
        }
        Files.delete(secret);
        new ProcessBuilder("truncate", "-s", "3G", secret.toString()).start().waitFor();
        try {
            System.out.println("## huge: " + read.text());
        } catch (Throwable e) {
            System.out.println("## huge: " + e);
        }
    }

    @Test
    void a_password_in_the_host_of_a_url_is_not_printed() throws Exception {
        Configuration configuration = read(BASE + "database: { main: { url: 'jdbc:postgresql://bob:geheim@db:5432/shop' } }\n", Map.of());
        String hosts = DatabaseFailure.hosts(configuration.databases().get(0));
        System.out.println("## hosts " + hosts);
        System.out.println("## print " + configuration.print().stream().filter(s -> s.toString().contains("url")).toList());
        assertThat(hosts + configuration.print()).doesNotContain("geheim");
    }

    @Test
    void secrets_in_url_parameters_are_not_printed() throws Exception {
        Configuration configuration = read(BASE + "database: { main: { url: 'jdbc:postgresql://db/shop?user=a&password=x%26geheim&sslpassword=geheim2&PASSWORD=geheim3' } }\n", Map.of());
        System.out.println("## print " + configuration.print().stream().filter(s -> s.toString().contains("url")).toList());
        assertThat(configuration.print().toString()).doesNotContain("geheim");
    }

    @Test
    void names_without_options() throws Exception {
        for (String form : new String[] {"{ orders: {}, b: }", "{ orders: ~ }", "{ orders: '' }", "{ orders: true }", "[orders]", "orders", "{ orders: [] }", "{ orders: {}, 'a.b': {} }", "{ orders: { <<: {sessions: true} } }", "{ '': {} }", "{ 'a b': {} }"}) {
            try {
                Configuration c = read("namespace: { main: { host: a.servicebus.windows.net } }\ndestination: " + form + "\n", Map.of());
                System.out.println("## form " + form + " -> " + c.destinations().stream().map(DestinationSettings::name).toList());
            } catch (ConfigException e) {
                System.out.println("## form " + form + " -> " + e.getMessage().replace("\n", " | "));
            } catch (Throwable e) {
                System.out.println("## form " + form + " -> !!! " + e);
            }
        }
        for (Map<String, String> v : java.util.List.of(Map.of("WAYBILL_DESTINATION_EVENTS", ""), Map.of("WAYBILL_DESTINATION_EVENTS", "true"), Map.of("WAYBILL_HTTP_PORT", "tcp://10.0.0.1:8080"), Map.of("WAYBILL_HTTP_SERVICE_HOST", "10.0.0.1"), Map.of("WAYBILL_RELAY_PORT", "tcp://10.0.0.1:8080"))) {
            try {
                Configuration c = read(BASE, v);
                System.out.println("## env " + v + " -> " + c.destinations().stream().map(DestinationSettings::name).toList());
            } catch (ConfigException e) {
                System.out.println("## env " + v + " -> " + e.getMessage().replace("\n", " | "));
            }
        }
        try {
            read("a: &x { b: *x }\n", Map.of());
        } catch (Throwable e) {
            System.out.println("## cycle " + e.getClass());
        }
    }
}
