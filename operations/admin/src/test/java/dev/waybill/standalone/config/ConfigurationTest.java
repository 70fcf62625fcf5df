package dev.waybill.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationTest {
    private final Map<String, String> flags = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();

    @TempDir
    private Path directory;

    @Test
    void the_strongest_source_wins_and_the_origin_is_told() throws IOException {
        minimal();
        String file = """
                http:
                  port: 1001
                relay:
                  batch-rows: 11
                  lease-duration: 20s
                  longest-idle: 1s
                """;
        variables.put("WAYBILL_HTTP_PORT", "1002");
        variables.put("WAYBILL_RELAY_BATCH_ROWS", "12");
        variables.put("WAYBILL_RELAY_LEASE_DURATION", "21s");
        properties.put("waybill.http.port", "1003");
        properties.put("waybill.relay.batch-rows", "13");
        flags.put("http.port", "1004");

        Configuration configuration = read(file);

        assertThat(configuration.process().http().port()).isEqualTo(1004);
        assertThat(configuration.relay().polling().batchRows()).isEqualTo(13);
        assertThat(configuration.relay().leaseDuration()).isEqualTo(Duration.ofSeconds(21));
        assertThat(configuration.relay().polling().longestIdle()).isEqualTo(Duration.ofSeconds(1));
        assertThat(configuration.relay().sendDeadline()).isEqualTo(Duration.ofSeconds(30));
        assertThat(configuration.print())
                .contains(
                        new Setting("http.port", "1004", "flag --set http.port"),
                        new Setting("relay.batch-rows", "13", "system property waybill.relay.batch-rows"),
                        new Setting("relay.lease-duration", "21s", "environment WAYBILL_RELAY_LEASE_DURATION"),
                        new Setting("relay.longest-idle", "1s", "file waybill.yaml, line 6"),
                        new Setting("relay.send-deadline", "30s", "default"));
    }

    @Test
    void a_destination_without_an_option_is_a_destination() throws IOException {
        minimal();

        Configuration configuration = read("""
                destination:
                  notes: {}
                  letters:
                  events: { type: topic, subscription: { audit: {} } }
                relay: {}
                """);

        assertThat(configuration.destinations())
                .extracting(DestinationSettings::name)
                .contains("notes", "letters", "events");
        assertThat(configuration.print())
                .extracting(Setting::key)
                .contains("destination.notes.entity", "destination.events.subscription.audit.sessions");
    }

    @Test
    void an_unknown_option_is_an_error_that_suggests_the_right_one_wherever_it_is_given() {
        minimal();
        flags.put("relay.batch-row", "5");
        properties.put("waybill.database.main.uri", "x");
        variables.put("WAYBILL_HTPP_PORT", "1");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("destination:\n  orders:\n    session: true\n"))
                .withMessageContaining("flag --set relay.batch-row: there is no option 'relay.batch-row'; did you mean"
                        + " 'relay.batch-rows'?")
                .withMessageContaining("did you mean 'database.main.url'?")
                .withMessageContaining(
                        "environment WAYBILL_HTPP_PORT: there is no such option; did you mean" + " WAYBILL_HTTP_PORT?")
                .withMessageContaining("file waybill.yaml, line 3: there is no option 'destination.orders.session'; did"
                        + " you mean 'destination.orders.sessions'?");
    }

    @Test
    void everything_that_is_wrong_is_told_at_once() {
        flags.put("relay.lease-duration", "10ms");
        flags.put("relay.send-deadline", "60d");
        flags.put("relay.batch-rows", "10001");
        flags.put("relay.longest-idle", "2d");
        flags.put("destination.orders.retain", "15d");
        flags.put("relay.claim-retention", "36501d");
        flags.put("database.main.url", "jdbc:mysql://x");
        flags.put("database.main.schema", "Not A Name");
        flags.put("database.main.destinations", "orders,ordres");
        flags.put("destination.orders.subscription.s.sessions", "true");
        flags.put("namespace.main.host", "not a host");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(""))
                .withMessageContaining("relay.lease-duration must be 1000ms at least")
                .withMessageContaining("relay.send-deadline must be 1d at most")
                .withMessageContaining("relay.batch-rows must be 10000 at most")
                .withMessageContaining("relay.longest-idle must be 1d at most")
                .withMessageContaining("destination.orders.retain must be 14d at most")
                .withMessageContaining("relay.claim-retention must be 36500d at most")
                .withMessageContaining("database.main.url must start with jdbc:postgresql:")
                .withMessageContaining("Schema name 'Not A Name'")
                .withMessageContaining("names 'ordres', which is not configured; did you mean 'orders'?")
                .withMessageContaining("has subscriptions, and is not of type topic")
                .withMessageContaining("namespace.main.host must be a host name");
    }

    @Test
    void a_value_of_the_wrong_kind_says_what_to_write() {
        minimal();

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("relay:\n  lease-duration: soon\nlog:\n  format: xml\n"))
                .withMessageContaining("line 2: relay.lease-duration is 'soon', and must be a time such as 500ms, 15s")
                .withMessageContaining("line 4: log.format is 'xml', and must be one of auto, json, text");
    }

    @Test
    void a_secret_comes_from_a_file_and_is_never_printed() throws IOException {
        minimal();
        Path secret = Files.writeString(directory.resolve("secret"), "hush-hush\n");
        variables.put("WAYBILL_DATABASE_MAIN_PASSWORD_FILE", secret.toString());
        flags.put("database.main.url", "jdbc:postgresql://db/app?user=me&password=hush-hush");

        Configuration configuration = read("");

        assertThat(configuration
                        .database(Optional.empty())
                        .connection()
                        .signIn()
                        .password())
                .map(Secret::text)
                .contains("hush-hush");
        assertThat(configuration.print().toString()).doesNotContain("hush-hush");
        assertThat(configuration.print())
                .contains(new Setting(
                        "database.main.password",
                        "(secret)",
                        "environment WAYBILL_DATABASE_MAIN_PASSWORD_FILE, file " + secret))
                .contains(new Setting(
                        "database.main.url",
                        "jdbc:postgresql://db/app?user=(secret)&password=(secret)",
                        "flag --set database.main.url"));
        assertThat(configuration.databases().toString()).doesNotContain("hush-hush");
    }

    @Test
    void a_secret_file_that_is_missing_is_an_error() {
        minimal();
        flags.put("database.main.password-file", directory.resolve("nowhere").toString());

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(""))
                .withMessageContaining("which cannot be read");
    }

    @Test
    void names_in_the_environment_are_those_of_the_file_or_lower_case() throws IOException {
        minimal();
        variables.put("WAYBILL_DESTINATION_WALLET_TX_SESSIONS", "true");
        variables.put("WAYBILL_DESTINATION_EU_ORDERS_SUBSCRIPTION_FRAUD_LOCK_DURATION", "2m");
        variables.put("WAYBILL_DESTINATION_OTHER_QUEUE_SESSIONS", "true");

        Configuration configuration = read("""
                destination:
                  wallet_tx: { partitioned: true }
                  eu.orders: { type: topic }
                """);

        assertThat(configuration.destinations())
                .extracting(DestinationSettings::name)
                .containsExactlyInAnyOrder("wallet_tx", "eu.orders", "other-queue");
        assertThat(configuration.destinations())
                .filteredOn(destination -> destination.name().equals("wallet_tx"))
                .singleElement()
                .satisfies(
                        destination -> assertThat(destination.form().sessions()).isTrue());
        assertThat(configuration.destinations())
                .filteredOn(destination -> destination.form().topic())
                .singleElement()
                .satisfies(destination -> assertThat(destination.subscriptions())
                        .hasEntrySatisfying(
                                "fraud",
                                fraud -> assertThat(fraud.receiving().lockDuration())
                                        .isEqualTo(Duration.ofMinutes(2))));
    }

    @Test
    void variables_that_kubernetes_sets_for_its_services_are_no_mistake() throws IOException {
        minimal();
        variables.put("WAYBILL_RELAY_SERVICE_HOST", "10.0.0.1");
        variables.put("WAYBILL_RELAY_SERVICE_PORT", "80");
        variables.put("WAYBILL_RELAY_SERVICE_PORT_HTTP", "80");
        variables.put("WAYBILL_RELAY_PORT_8080_TCP_ADDR", "10.0.0.1");
        variables.put("WAYBILL_RELAY_PORT", "tcp://10.0.0.1:80");

        assertThat(read("").process().http().port()).isEqualTo(8080);
    }

    @Test
    void several_databases_and_namespaces_find_each_other() throws IOException {
        Configuration configuration = read("""
                namespace:
                  eu: { host: eu.servicebus.windows.net }
                  us: { host: us.servicebus.windows.net, tier: premium }
                database:
                  eu: { url: "jdbc:postgresql://eu/app", namespace: eu }
                  us: { url: "jdbc:postgresql://us/app", namespace: us, destinations: [orders] }
                destination:
                  orders: { sessions: true }
                  audit: { namespace: us }
                """);

        DatabaseSettings eu = configuration.database(Optional.of("eu"));
        DatabaseSettings us = configuration.database(Optional.of("us"));
        DestinationSettings audit = configuration.destinations().get(1);
        assertThat(configuration.destinations(eu)).hasSize(2);
        assertThat(configuration.destinations(us)).hasSize(1);
        assertThat(configuration
                        .namespace(eu, configuration.destinations().get(0))
                        .name())
                .isEqualTo("eu");
        assertThat(configuration.namespace(eu, audit).name()).isEqualTo("us");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> configuration.database(Optional.empty()))
                .withMessage("Which database? Give --database with one of eu, us");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> configuration.database(Optional.of("uss")))
                .withMessageContaining("did you mean 'us'?");
    }

    @Test
    void a_file_that_is_no_yaml_or_says_something_twice_is_refused_with_its_line() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("http: {port: 1\nrelay: ["))
                .withMessageContaining("is no YAML");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read("http:\n  port: 1\n  port: 2\n"))
                .withMessageContaining("http.port stands twice: file waybill.yaml, line 2, and line 3");
    }

    private void minimal() {
        flags.put("database.main.url", "jdbc:postgresql://db/app");
        flags.put("namespace.main.host", "main.servicebus.windows.net");
    }

    private Configuration read(String file) throws IOException {
        Path path = Files.writeString(directory.resolve("waybill.yaml"), file);
        return Configuration.of(new Sources(flags, properties, variables, Optional.of(path)));
    }
}
