package dev.waybill.servicebus.embedded.fuzz;

import dev.waybill.servicebus.embedded.fuzz.AmqpBytes.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;

/** Rules of any text come by AMQP, and messages of any properties meet them; {@code RuleFuzzTest} is about their meaning. */
@AddLifecycleHook(NotLive.class)
class RuleFuzzOnTheWireTest {
    private static final int TRANSFER = 0x14;

    @AfterContainer
    static void nothingIsLeftOfThem() throws InterruptedException {
        Fuzzing.finish();
    }

    @Provide
    Arbitrary<String> rules() {
        Arbitrary<String> words = Arbitraries.of(
                "a",
                "amount",
                "sys.Label",
                "[x y]",
                "\"q\"",
                "'t'",
                "'%'",
                "5",
                "1E999",
                "-",
                "+",
                "*",
                "/",
                "%",
                "(",
                ")",
                "=",
                "<>",
                "<=",
                "AND",
                "OR",
                "NOT",
                "LIKE",
                "ESCAPE",
                "IN",
                "IS NULL",
                "EXISTS(",
                "newid()",
                "p(",
                "@p",
                "SET",
                "REMOVE",
                ";",
                ",",
                "\u0000",
                "'",
                "--",
                "/*");
        return Arbitraries.oneOf(
                words.list().ofMaxSize(30).map(list -> String.join(" ", list)),
                words.list().ofMinSize(1).ofMaxSize(3).map(list -> (String.join(" ", list) + " ").repeat(5_000)),
                Arbitraries.of("amount LIKE '" + "%a".repeat(5_000) + "'", "amount = " + "-".repeat(60_000) + "1"),
                Arbitraries.strings().ofMaxLength(200));
    }

    @Provide
    Arbitrary<Object> values() {
        return AnyAmqp.value();
    }

    @Property
    void any_rule_and_any_message(
            @ForAll("rules") String filter,
            @ForAll("rules") String action,
            @ForAll("values") Object value,
            @ForAll boolean hasAction) {
        String name = "r" + UUID.randomUUID().toString().substring(0, 8);
        Map<Object, Object> description = new HashMap<>();
        description.put("sql-filter", new HashMap<>(Map.of("expression", hasAction ? "1=1" : filter)));
        if (hasAction) {
            description.put("sql-rule-action", new HashMap<>(Map.of("expression", action)));
        }
        request("add-rule", new HashMap<>(Map.of("rule-name", name, "rule-description", description)));
        Map<Object, Object> properties = new HashMap<>();
        properties.put("amount", value);
        properties.put("a", "a".repeat(3_000));
        send(properties);
        request("enumerate-rules", new HashMap<>(Map.of("skip", 0, "top", 100)));
        request("remove-rule", new HashMap<>(Map.of("rule-name", name)));
    }

    private static void request(String operation, Object arguments) {
        transfers(
                Scripts.management("events/Subscriptions/ruled", operation),
                Scripts.message(null, new HashMap<>(Map.of("operation", "com.microsoft:" + operation)), arguments));
    }

    private static void send(Object properties) {
        transfers(Scripts.send("events"), Scripts.message(null, properties, "body"));
    }

    private static void transfers(List<Step> script, byte[] message) {
        List<byte[]> parts = new ArrayList<>(List.of(AmqpBytes.HEADER));
        script.forEach(step -> parts.add((step.code() == TRANSFER ? step.with(message) : step).bytes()));
        Fuzzing.broker().talk(List.of(AmqpBytes.joined(parts)));
    }
}
