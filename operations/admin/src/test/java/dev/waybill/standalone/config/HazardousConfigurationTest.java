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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "collect: orders | whose dead letters the broker forwards to graveyard",
                "collect: events/audit | whose dead letters the broker forwards to graveyard",
                "collect: events/audits | names 'audits', which is not configured; did you mean 'audit'?",
                "collect: ordres | names 'ordres', which is not configured; did you mean 'orders'?"
            })
    void a_collector_that_would_wait_for_ever_is_refused(String collect, String words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(
                        FORWARDING + "database: { main: { url: 'jdbc:postgresql://h/d', " + collect + " } }\n",
                        Map.of()))
                .withMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "eu: { url: 'jdbc:postgresql://h/d', namespace: main, destinations: events }, us: { url: 'jdbc:postgresql://h/d', namespace: main, destinations: events }"
                        + " | database.us has the url and the schema of database.eu",
                "eu: { url: 'jdbc:postgresql://h/eu', namespace: main, destinations: events, collect: orders }, us: { url: 'jdbc:postgresql://h/us', namespace: main, destinations: events, collect: orders }"
                        + " | database.us.collect and database.eu.collect both name orders",
                "eu: { url: 'jdbc:postgresql://h/eu', namespace: main, collect: events/audit, destinations: events },"
                        + " us: { url: 'jdbc:postgresql://h/us', namespace: main, collect: alias/audit, destinations: alias }"
                        + " | both name alias/audit",
                "eu: { url: 'jdbc:postgresql://h/d', namespace: main, destinations: [orders, twin] }"
                        + " | destination.orders and destination.twin are one entity",
                "eu: { url: 'jdbc:postgresql://h/d', namespace: main, destinations: [] } | database.eu.destinations is an empty list",
            })
    void a_copied_block_that_shares_what_is_not_to_be_shared_is_refused(String databases, String words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(SHARING + "database: { " + databases + " }\n", Map.of()))
                .withMessageContaining(words);
    }

    @Test
    void databases_that_send_to_one_entity_and_collect_others_are_two() throws Exception {
        Configuration configuration = read(
                SHARING + "database:\n"
                        + "  eu: { url: 'jdbc:postgresql://h/d', schema: eu, namespace: main, destinations: [orders], collect: orders }\n"
                        + "  us: { url: 'jdbc:postgresql://h/d', schema: us, namespace: main, destinations: [twin], collect: events/audit }\n"
                        + "  ap: { url: 'jdbc:postgresql://h/d', schema: ap, namespace: other, destinations: [orders],"
                        + " collect: orders }\n",
                Map.of());

        assertThat(configuration.databases()).hasSize(3);
    }

    private static final String SHARING = """
                namespace: { main: { host: a.servicebus.windows.net }, other: { host: b.servicebus.windows.net } }
                destination:
                  orders: {}
                  twin: { namespace: main, entity: Orders }
                  events: { namespace: main, type: topic, subscription: { audit: {} } }
                  alias: { namespace: main, entity: EVENTS, type: topic, subscription: { audit: {} } }
                """;

    @ParameterizedTest
    @CsvSource({"18446744073709551616B", "999999999999GiB", "9007199254740993KiB"})
    void a_size_that_no_number_holds_is_refused(String size) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("destination: { orders: { max-message-size: " + size + " } }\n", Map.of()))
                .withMessageContaining("must be a size");
    }

    @ParameterizedTest
    @CsvSource({"oders, orders", "ORDERS, orders", "events/audits, audit", "evnts/audit, events"})
    void a_consumer_of_an_entity_that_is_not_configured_is_refused(String entity, String meant) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(
                        FORWARDING + "database: { main: { url: 'jdbc:postgresql://h/d' } }\n"
                                + "consumer: { ledger: { entity: " + entity + " } }\n",
                        Map.of()))
                .withMessageContaining("did you mean '" + meant + "'?");
    }

    private static final String FORWARDING = """
                namespace: { main: { host: a.servicebus.windows.net } }
                destination:
                  graveyard: {}
                  orders: { forward-dead-letters-to: graveyard }
                  events: { type: topic, subscription: { audit: { forward-dead-letters-to: graveyard } } }
                """;

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

    @Test
    void nothing_where_a_map_is_meant_is_an_empty_map() throws Exception {
        Configuration configuration = read("""
                namespace: { main: { host: a.servicebus.windows.net, client-id: ~ } }
                destination:
                  orders: ~
                  notes: null
                relay:
                http: ~
                consumer: {}
                """, Map.of());

        assertThat(configuration.destinations())
                .extracting(DestinationSettings::name)
                .containsExactly("orders", "notes");
    }

    @Test
    void a_value_where_options_are_meant_and_options_where_a_value_is_meant_are_refused_by_line_and_key() {
        refused(
                "destination:\n  orders: yes\n",
                "line 2: 'destination.orders' takes no value, but has options below it, such as"
                        + " 'destination.orders.");
        refused("destination: [orders, notes]\n", "line 1: 'destination' takes no value");
        refused("relay: 5\n", "line 1: 'relay' takes no value", "such as 'relay.lease-duration'");
        refused("http:\n  port: {}\n", "line 2: http.port needs a value");
        refused("destinaton: {}\n", "line 1: there is no option 'destinaton'");
    }

    @Test
    void an_alias_of_what_it_stands_in_is_refused_and_overflows_no_stack() {
        refused(
                "destination: &all\n  orders: *all\n",
                "w.yaml, line 1: destination.orders is an alias of something that it stands in");
    }

    @Test
    void aliases_that_multiply_are_refused_and_fill_no_memory() {
        var yaml = new StringBuilder("a0: &a0 { x: 1 }\n");
        for (int i = 1; i < 25; i++) {
            yaml.append("a%1$d: &a%1$d { x: *a%2$d, y: *a%2$d }\n".formatted(i, i - 1));
        }
        refused(yaml.toString(), "more than 100000 values");
    }

    @Test
    void an_empty_name_is_refused_wherever_it_is_given() {
        refused("destination: { '': {} }\n", "line 1: 'destination.\"\"' has an empty name in it");
        refused(
                "destination: { '': { sessions: true } }\n",
                "line 1: 'destination.\"\".sessions' has an empty name in it");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> Configuration.of(
                        new Sources(Map.of("destination..sessions", "true"), Map.of(), Map.of(), Optional.empty())))
                .withMessageContaining(
                        "flag --set destination..sessions: 'destination.\"\".sessions' has an empty name");
    }

    @Test
    void variables_that_kubernetes_sets_for_services_of_our_names_mislead_nobody() throws Exception {
        Configuration configuration = read(
                BASE,
                Map.of(
                        "WAYBILL_HTTP_PORT", "tcp://10.0.0.1:8080",
                        "WAYBILL_HTTP_SERVICE_HOST", "10.0.0.1",
                        "WAYBILL_HTTP_SERVICE_PORT", "8080",
                        "WAYBILL_HTTP_PORT_8080_TCP", "tcp://10.0.0.1:8080",
                        "WAYBILL_NAMESPACE_OTHER_SERVICE_HOST", "10.0.0.2",
                        "WAYBILL_NAMESPACE_OTHER_SERVICE_PORT", "443",
                        "WAYBILL_PORT", "udp://10.0.0.1:1"));

        assertThat(configuration.process().http().port()).isEqualTo(8080);
        assertThat(configuration.namespaces()).hasSize(1);
        assertThat(configuration.ignoredVariables()).hasSize(7).contains("WAYBILL_HTTP_PORT", "WAYBILL_PORT");
    }

    @Test
    void a_port_and_a_host_that_were_given_on_purpose_count() throws Exception {
        Configuration configuration = read(
                "destination: { orders: {} }\n",
                Map.of(
                        "WAYBILL_HTTP_PORT", "9090",
                        "WAYBILL_NAMESPACE_OTHER_SERVICE_HOST", "a.servicebus.windows.net"));

        assertThat(configuration.process().http().port()).isEqualTo(9090);
        assertThat(configuration.namespaces())
                .extracting(NamespaceSettings::name)
                .containsExactly("other-service");
        assertThat(configuration.ignoredVariables()).isEmpty();
    }

    private void refused(String yaml, String... parts) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(yaml, Map.of()))
                .satisfies(refused -> assertThat(refused.getMessage()).contains(parts));
    }
}
