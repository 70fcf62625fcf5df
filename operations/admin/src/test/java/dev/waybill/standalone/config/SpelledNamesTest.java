package dev.waybill.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names that come into being by a spelling, by a merge, or from a neighbour's variables. */
class SpelledNamesTest {
    @TempDir
    private Path directory;

    private static final String BASE = """
            namespace: { main: { host: a.servicebus.windows.net } }
            database: { stock-eu: { url: 'jdbc:postgresql://h/d', destinations: order-events } }
            destination: { order-events: {}, audit.log: {}, audit-log: {} }
            consumer: { bill-run: { entity: order-events } }
            """;

    private Configuration read(String yaml, Map<String, String> variables) throws Exception {
        Path file = Files.writeString(directory.resolve("w.yaml"), yaml);
        return Configuration.of(Sources.of(Map.of(), new ProcessEnvironment(Map.of(), variables), Optional.of(file)));
    }

    @ParameterizedTest
    @CsvSource({
        "WAYBILL_DESTINATION_ORDEREVENTS_SESSIONS, true, ORDER_EVENTS",
        "WAYBILL_DESTINATION_O_RDER_EVENTS_ENTITY, other, ORDER_EVENTS",
        "WAYBILL_DATABASE_STOCKEU_SCHEMA, other, STOCK_EU",
        "WAYBILL_DATABASE_STOCKEU_PASSWORD_FILE, /dev/null, STOCK_EU",
        "WAYBILL_NAMESPACE_MA_IN_TIER, premium, MAIN",
        "WAYBILL_CONSUMER_BILLRUN_PREFETCH, 9, BILL_RUN"
    })
    void a_variable_that_spells_a_known_name_otherwise_makes_no_second_one(String variable, String value, String meant)
            throws Exception {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(BASE, Map.of(variable, value)))
                .withMessageContaining(variable)
                .withMessageContaining("did you mean " + meant);
    }

    @Test
    void a_variable_that_may_mean_two_names_is_refused() throws Exception {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(BASE, Map.of("WAYBILL_DESTINATION_AUDIT_LOG_SESSIONS", "true")))
                .withMessageContaining("'audit.log' or 'audit-log'");
    }

    @Test
    void a_map_merges_another_one_and_keeps_what_it_says_itself() throws Exception {
        Configuration configuration = read("""
                namespace: { main: { host: a.servicebus.windows.net } }
                destination:
                  orders: &usual { sessions: true, retain: 3d, subscription: { all: {} }, type: topic }
                  refunds: { <<: *usual, retain: 5d, subscription: { own: {} } }
                  alerts: { <<: [{ retain: 1d }, *usual], type: topic }
                  chained: { <<: &more { <<: *usual, retain: 2d } }
                """, Map.of());

        assertThat(configuration.print())
                .filteredOn(setting -> setting.key().matches("destination\\.\\w+\\.retain"))
                .extracting(setting -> setting.key() + "=" + setting.value())
                .containsExactlyInAnyOrder(
                        "destination.orders.retain=3d",
                        "destination.refunds.retain=5d",
                        "destination.alerts.retain=1d",
                        "destination.chained.retain=2d");
        assertThat(configuration.destinations())
                .filteredOn(destination -> destination.name().equals("refunds"))
                .singleElement()
                .satisfies(refunds -> assertThat(refunds.subscriptions()).containsOnlyKeys("own"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "destination: { orders: &a { <<: *a } }|merged into itself",
                "destination: { orders: { <<: [] } }|needs a map",
                "destination: { orders: { <<: text } }|needs a map",
                "destination: { orders: { '<<': { sessions: true } } }|no option"
            })
    void a_merge_that_says_nothing_is_refused_by_name(String yaml, String words) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(yaml, Map.of()))
                .withMessageContaining(words);
    }

    @Test
    void variables_of_the_spring_starter_are_ignored_by_name_and_misspelt_options_are_not() throws Exception {
        Configuration configuration = read(
                BASE,
                Map.of(
                        "WAYBILL_SERVICEBUS_CONNECTIONSTRING", "Endpoint=sb://b",
                        "WAYBILL_DESTINATIONS_ORDERS_MAXIMUMSIZE", "1MB",
                        "WAYBILL_CONSUMERS_BILLING_LOCK_DURATION", "30s",
                        "WAYBILL_FEATURES_0", "events",
                        "WAYBILL_RELAY_BATCH_ROWS", "7",
                        "WAYBILL_ENABLED", "false"));

        assertThat(configuration.variablesOfSpring())
                .containsExactly(
                        "WAYBILL_CONSUMERS_BILLING_LOCK_DURATION",
                        "WAYBILL_DESTINATIONS_ORDERS_MAXIMUMSIZE",
                        "WAYBILL_ENABLED",
                        "WAYBILL_FEATURES_0",
                        "WAYBILL_SERVICEBUS_CONNECTIONSTRING");
        assertThat(configuration.relay().polling().batchRows()).isEqualTo(7);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(BASE, Map.of("WAYBILL_SERVICEBUS_CONECTIONSTRING", "x")));
    }

    @Test
    void every_property_of_the_starter_is_known() throws Exception {
        var unknown = new ArrayList<String>();
        properties("autoconfigure/WaybillProperties", "").forEach(name -> check(name, unknown));
        properties("autoconfigure/RelayProperties", "RELAY_").forEach(name -> check(name, unknown));
        properties("autoconfigure/DestinationProperties", "DESTINATIONS_ORDERS_")
                .forEach(name -> check(name, unknown));
        properties("autoconfigure/ConsumerProperties", "CONSUMERS_BILLING_").forEach(name -> check(name, unknown));
        properties("servicebus/ServiceBusProperties", "SERVICEBUS_").forEach(name -> check(name, unknown));

        List.of("OUTBOXES_EU_DATASOURCE", "OUTBOXES_EU_CONSUMERS_BILLING_QUEUE").forEach(name -> check(name, unknown));

        assertThat(unknown).isEmpty();
    }

    private static void check(String name, List<String> unknown) {
        if (!SpringVariables.isOne("WAYBILL_" + name)) {
            unknown.add(name);
        }
    }

    private static List<String> properties(String source, String prefix) throws Exception {
        String text = Files.readString(
                Path.of("../../integrations/spring-boot-starter/src/main/java/dev/waybill/spring/" + source + ".java"));
        String record =
                text.substring(text.indexOf("public record"), text.indexOf(") {", text.indexOf("public record")));
        Matcher component = Pattern.compile("(?m)(?:String|boolean|int|Duration|\\w+|[>\\]]) (\\w+)(?:,|$)")
                .matcher(record);
        var names = new ArrayList<String>();
        while (component.find()) {
            String name = component.group(1).toUpperCase(java.util.Locale.ROOT);
            if (!List.of("DESTINATIONS", "CONSUMERS", "RELAY", "OUTBOXES").contains(name)) {
                names.add(prefix + name);
            }
        }
        assertThat(names).hasSizeGreaterThan(2);
        return names;
    }
}
