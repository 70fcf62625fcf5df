package dev.waybill.servicebus.embedded.fuzz;

import static dev.waybill.servicebus.embedded.fuzz.AmqpBytes.described;
import static dev.waybill.servicebus.embedded.fuzz.AmqpBytes.wrapped;

import dev.waybill.servicebus.embedded.fuzz.AmqpBytes.Step;
import dev.waybill.servicebus.embedded.message.AmqpCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.jspecify.annotations.Nullable;

/** Conversations that make sense, from which those are made that do not. */
@SuppressWarnings("JavaUtilDate") // The AMQP codec knows timestamps as dates.
final class Scripts {
    private static final byte[] NOTHING = {};

    private static final List<String> OPERATIONS = List.of(
            "peek-message",
            "renew-lock",
            "receive-by-sequence-number",
            "schedule-message",
            "cancel-scheduled-message",
            "update-disposition",
            "get-session-state",
            "set-session-state",
            "renew-session-lock",
            "get-message-sessions",
            "add-rule",
            "remove-rule",
            "enumerate-rules",
            "batch-delete-messages");

    private Scripts() {}

    static List<List<Step>> all() {
        List<List<Step>> scripts = new ArrayList<>(List.of(
                send("fuzzed"), besides("good"), send("events"), receive("fuzzed"), session(), transaction(), token()));
        for (String operation : OPERATIONS) {
            scripts.add(management("fuzzed", operation));
        }
        scripts.add(management("good", "peek-message"));
        scripts.add(management("wallet", "get-session-state"));
        scripts.add(management("events/Subscriptions/ruled", "add-rule"));
        return scripts;
    }

    static UnsignedInteger uint(int value) {
        return UnsignedInteger.valueOf(value);
    }

    private static Step step(long code, @Nullable Object... fields) {
        return new Step(code, Arrays.asList(fields), NOTHING);
    }

    private static List<Step> begun(Step... more) {
        List<Step> steps = new ArrayList<>();
        steps.add(step(0x10, "fuzzer", "localhost", uint(65_536), UnsignedShort.valueOf((short) 100), uint(60_000)));
        steps.add(step(0x11, null, uint(0), uint(1000), uint(1000), uint(255)));
        steps.addAll(List.of(more));
        return steps;
    }

    private static Step attach(int handle, boolean receives, Object source, Object target) {
        return step(
                0x12,
                "link-" + handle,
                uint(handle),
                receives,
                UnsignedByte.valueOf((byte) 2),
                UnsignedByte.valueOf((byte) 0),
                source,
                target,
                null,
                null,
                receives ? null : uint(0),
                null,
                null,
                null,
                new HashMap<>(Map.of(Symbol.valueOf("com.microsoft:timeout"), uint(2_000))));
    }

    private static Object source(String address) {
        return described(0x28, address, uint(0), Symbol.valueOf("never"), uint(0), false, null, null, new HashMap<>());
    }

    private static Object target(String address) {
        return described(0x29, address, uint(0), Symbol.valueOf("never"), uint(0), false, null, null);
    }

    private static Step flow(int handle) {
        return step(0x13, uint(0), uint(1000), uint(0), uint(1000), uint(handle), uint(0), uint(10), null, false, true);
    }

    private static Step transfer(int handle, int id, byte[] message) {
        return step(
                        0x14,
                        uint(handle),
                        uint(id),
                        new Binary(new byte[] {(byte) id}),
                        uint(0),
                        false,
                        false,
                        null,
                        null,
                        false,
                        false,
                        false)
                .with(message);
    }

    private static Step disposition(Object outcome) {
        return step(0x15, true, uint(0), uint(3), true, outcome, false);
    }

    private static Step detach(int handle) {
        return step(0x16, uint(handle), true, null);
    }

    private static Step close() {
        return step(0x18, (Object) null);
    }

    /** The sections of a message whose parts the caller chooses. */
    static byte[] message(@Nullable Object annotations, @Nullable Object applicationProperties, @Nullable Object body) {
        return AmqpCodec.encode(
                described(0x70, true, UnsignedByte.valueOf((byte) 4), uint(60_000)),
                wrapped(0x72, annotations == null ? new HashMap<>() : annotations),
                described(0x73, "m-" + UUID.randomUUID(), null, null, "subject", "node"),
                wrapped(0x74, applicationProperties == null ? new HashMap<>() : applicationProperties),
                wrapped(0x77, body));
    }

    static byte[] message() {
        return message(null, new HashMap<>(Map.of("amount", 5)), "body");
    }

    static List<Step> send(String entity) {
        return begun(
                attach(0, false, source("here"), target(entity)),
                transfer(0, 0, message()),
                transfer(0, 1, message()),
                detach(0),
                close());
    }

    /**
     * Attaches where the neighbour is, and sends nothing: a message that is well-formed and still of no use to the client
     * library would break the neighbour's receiver, with any broker.
     */
    private static List<Step> besides(String entity) {
        return begun(attach(0, false, source("here"), target(entity)), flow(0), detach(0), close());
    }

    private static List<Step> receive(String entity) {
        return begun(
                attach(0, false, source("here"), target(entity)),
                attach(1, true, source(entity), target("here")),
                transfer(0, 0, message()),
                transfer(0, 1, message()),
                flow(1),
                disposition(described(0x27, true, false, new HashMap<>())),
                disposition(described(0x25, described(0x1d, Symbol.valueOf("com.microsoft:dead-letter"), "x"))),
                disposition(described(0x24)),
                detach(1),
                close());
    }

    private static List<Step> session() {
        Map<Object, Object> filter = new HashMap<>();
        filter.put(Symbol.valueOf("com.microsoft:session-filter"), wrapped(0x00000137000000CL, "w1"));
        Object source = described(0x28, "wallet", uint(0), null, uint(0), false, null, null, filter);
        return begun(attach(0, true, source, target("here")), flow(0), detach(0), close());
    }

    private static List<Step> transaction() {
        byte[] declare = AmqpCodec.encode(wrapped(0x77, described(0x31, (Object) null)));
        byte[] discharge = AmqpCodec.encode(wrapped(0x77, described(0x32, new Binary(new byte[4]), false)));
        return begun(
                attach(0, false, source("here"), described(0x30, (Object) new Object[] {Symbol.valueOf("a")})),
                attach(1, false, source("here"), target("fuzzed")),
                transfer(0, 0, declare),
                transfer(1, 1, message()).with(7, described(0x34, new Binary(new byte[4]), described(0x24))),
                transfer(0, 2, discharge),
                close());
    }

    private static List<Step> request(String node, Map<String, Object> properties, Object body) {
        return begun(
                attach(0, false, source("here"), target(node)),
                attach(1, true, source(node), target("replies")),
                flow(1),
                transfer(0, 0, message(null, new HashMap<>(properties), body)),
                close());
    }

    private static List<Step> token() {
        return request(
                "$cbs",
                Map.of("operation", "put-token", "type", "servicebus.windows.net:sastoken", "name", "fuzzed"),
                "SharedAccessSignature sr=x&sig=y&se=1&skn=z");
    }

    /** A request with about everything that any operation asks for. */
    static Map<Object, Object> arguments() {
        Map<Object, Object> body = new HashMap<>();
        body.put("from-sequence-number", 0L);
        body.put("message-count", 10);
        body.put("lock-tokens", new UUID[] {new UUID(1, 2)});
        body.put("sequence-numbers", new Long[] {1L, 2L});
        body.put("receiver-settle-mode", uint(1));
        body.put("disposition-status", "abandoned");
        body.put("session-id", "w1");
        body.put("session-state", new Binary("state".getBytes(StandardCharsets.UTF_8)));
        body.put("last-updated-time", new Date(0));
        body.put("enqueued-time-utc", new Date(0));
        body.put("skip", 0);
        body.put("top", 10);
        body.put("rule-name", "r" + UUID.randomUUID().toString().substring(0, 8));
        body.put(
                "rule-description",
                new HashMap<>(Map.of(
                        "sql-filter", new HashMap<>(Map.of("expression", "amount > 3")),
                        "sql-rule-action", new HashMap<>(Map.of("expression", "SET a = 1")))));
        body.put(
                "messages",
                new ArrayList<>(List.of(new HashMap<>(Map.of("message-id", "m", "message", new Binary(message()))))));
        return body;
    }

    static byte[] request(String operation) {
        return message(null, new HashMap<>(Map.of("operation", "com.microsoft:" + operation)), arguments());
    }

    static List<Step> management(String entity, String operation) {
        return request(
                entity + "/$management",
                Map.of("operation", "com.microsoft:" + operation, "com.microsoft:server-timeout", uint(1000)),
                arguments());
    }

    static List<String> operations() {
        return OPERATIONS;
    }
}
