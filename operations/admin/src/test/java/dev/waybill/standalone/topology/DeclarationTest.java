package dev.waybill.standalone.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclarationTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    orders: { lock-duration: 6m }                          | orders.lock-duration must be more than 0, and 5m
                    orders: { lock-duration: 0 }                           | orders.lock-duration must be more than 0, and 5m
                    orders: { max-delivery-count: 0 }                      | orders.max-delivery-count must be from 1 to 2000
                    orders: { max-delivery-count: 2001 }                   | orders.max-delivery-count must be from 1 to 2000
                    orders: { time-to-live: 500ms }                        | orders.time-to-live must be 1s at least
                    orders: { duplicate-window: 8d }                       | orders.duplicate-window must be 0, or from 20s to 7d
                    orders: { duplicate-window: 10s }                      | orders.duplicate-window must be 0, or from 20s to 7d
                    orders: { entity: "a b" }                              | orders.entity is 'a b', and no name
                    orders: { entity: "/orders" }                          | orders.entity is '/orders', and no name
                    orders: { forward-to: "x?" }                           | orders.forward-to is 'x?', and no name
                    orders: { sessions: true, forward-to: mail }           | orders.forward-to cannot be given with sessions
                    orders: { type: topic, subscription: { "a/b": {} } }   | orders.subscription.a/b has no name
                    orders: { type: topic, subscription: { a: { rule: { "b c": "1=1" } } } } | orders.subscription.a.rule.b c has
                    """)
    void what_azure_would_refuse_is_refused_before(String destination, String problem) {
        assertThatThrownBy(() -> declarations("standard", destination))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("destination." + problem);
    }

    @Test
    void a_limit_is_told_with_the_place_where_it_is_broken() {
        assertThatThrownBy(() -> declarations("standard", "orders: { lock-duration: 6m }"))
                .hasMessageContaining("file declared.yaml, line 3: destination.orders.lock-duration");
    }

    @Test
    void a_filter_that_is_too_long_is_refused() {
        String filter = "a = '" + "x".repeat(1_020) + "'";
        assertThatThrownBy(() -> declarations(
                        "standard",
                        "events: { type: topic, subscription: { all: { rule: { r: \"" + filter + "\" } } } }"))
                .hasMessageContaining("must have 1024 characters at most");
    }

    @Test
    void the_limits_themselves_are_fine() {
        assertThatCode(() -> declarations(
                        "standard",
                        "a: { lock-duration: 5m, max-delivery-count: 2000, duplicate-window: 7d, time-to-live: 1s }\n"
                                + "b/c.d_e-f: { duplicate-window: 20s, max-delivery-count: 1 }"))
                .doesNotThrowAnyException();
    }

    @Test
    void targets_come_before_their_sources_and_a_circle_is_refused() {
        assertThat(declarations("standard", """
                        a: { forward-to: B, forward-dead-letters-to: d }
                        b: { forward-to: c }
                        c: { type: topic, subscription: { s: { forward-to: d } } }
                        d: {}
                        """).get(0).entities())
                .extracting(entity -> entity.name())
                .containsExactly("d", "c", "b", "a");
        for (String circle :
                List.of("a: { forward-to: a }", "a: { forward-to: b }\nb: { forward-dead-letters-to: a }")) {
            assertThatThrownBy(() -> declarations("standard", circle)).hasMessageContaining("forwards to itself");
        }
    }

    @Test
    void two_destinations_may_be_one_entity_if_they_agree() {
        assertThat(declarations("standard", "a: { entity: x }\nb: { entity: X }")
                        .get(0)
                        .entities())
                .hasSize(1);
        assertThatThrownBy(() -> declarations("standard", "a: { entity: x }\nb: { entity: X, sessions: true }"))
                .hasMessageContaining("destination.a and destination.b are both the entity 'X'");
    }

    @Test
    void what_the_basic_tier_cannot_have_is_refused() {
        assertThatThrownBy(
                        () -> declarations("basic", "a: { sessions: true }\nb: { type: topic, duplicate-window: 0 }"))
                .hasMessageContaining("destination.a: namespace.main is of tier basic, which has no sessions")
                .hasMessageContaining("duplicate detection")
                .hasMessageContaining("destination.b: namespace.main is of tier basic, which has no topics");
        assertThatCode(() -> declarations("basic", "a: { duplicate-window: 0 }"))
                .doesNotThrowAnyException();
    }

    private List<Declaration> declarations(String tier, String destinations) {
        try {
            Path file = Files.writeString(
                    directory.resolve("declared.yaml"),
                    "namespace: { main: { host: a.servicebus.windows.net, tier: " + tier + " } }\ndestination:\n"
                            + destinations.indent(2));
            return Declaration.of(Configuration.of(new Sources(Map.of(), Map.of(), Map.of(), Optional.of(file))));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
