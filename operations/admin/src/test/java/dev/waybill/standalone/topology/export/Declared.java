package dev.waybill.standalone.topology.export;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.export.Export.Format;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Declarations for tests of exports. */
final class Declared {
    /** A filter with everything that one of the formats would obey, and that is a filter all the same. */
    static final String HOSTILE =
            "note = '${namespaceName} $${x} %{if} \"quoted\" \\ \\${y} `id` $(id) it''s; # //'\n\tAND a < 2";

    /** A filter that Azure Resource Manager would take for an expression. */
    static final String BRACKETS = "[my property] = [other property]";

    static final String FULL = """
            database:
              main: { url: "jdbc:postgresql://nowhere/x", collect: [orders-in, events/fraud] }
            namespace:
              main: { host: waybill-test.servicebus.windows.net, tier: %s }
            destination:
              inbound: { forward-to: orders-in }
              orders: { sessions: true, lock-duration: 2m, time-to-live: 7d, forward-dead-letters-to: grave/yard }
              orders-in: { max-delivery-count: 6, dead-letter-on-expiry: false, partitioned: true }
              "orders.in": { duplicate-window: 0 }
              graveyard: { entity: grave/yard, duplicate-window: 1h, max-message-size: 2MiB }
              events:
                type: topic
                subscription:
                  fraud:
                    sessions: true
                    rule: { hostile: %s, brackets: "[my property] = [other property]" }
                  all: { forward-to: orders-in }
                  own: { rule: { $Default: "a = 1" } }
            consumer:
              ledger: { entity: orders }
              "fraud ${desk} \\"'\\n`": { entity: events/fraud }
            """;

    private Declared() {}

    static Configuration configuration(String yaml) {
        try {
            Path file = Files.createTempFile("waybill", ".yaml");
            try {
                Files.writeString(file, yaml);
                return Configuration.of(new Sources(Map.of(), Map.of(), Map.of(), Optional.of(file)));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that can be declared, with hostile texts. */
    static String full(String tier) {
        String quoted = "\""
                + HOSTILE.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t") + "\"";
        return FULL.formatted(tier, quoted);
    }

    static Export export(String yaml, Format format) {
        Configuration configuration = configuration(yaml);
        return Export.of(configuration, Declaration.of(configuration).get(0), format);
    }

    static Template template(String tier) {
        Configuration configuration = configuration(full(tier));
        return Export.template(configuration, Declaration.of(configuration).get(0));
    }
}
