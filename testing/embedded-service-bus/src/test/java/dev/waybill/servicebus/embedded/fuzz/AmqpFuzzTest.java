package dev.waybill.servicebus.embedded.fuzz;

import dev.waybill.servicebus.embedded.fuzz.AmqpBytes.Step;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * The conversation of a client ends, whatever it says over AMQP, and a client beside it loses nothing and waits for
 * nothing. {@code -Djqwik.tries.default=20000} tries longer; a failure names the seed.
 */
@AddLifecycleHook(NotLive.class)
class AmqpFuzzTest {
    private static final int FLOW = 0x13;
    private static final int TRANSFER = 0x14;
    private static final byte[] SASL = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

    @AfterContainer
    static void nothingIsLeftOfThem() throws InterruptedException {
        Fuzzing.finish();
    }

    @Provide
    Arbitrary<List<Step>> scripts() {
        return Arbitraries.of(Scripts.all());
    }

    @Provide
    Arbitrary<List<Change>> changes() {
        return Change.any().list().ofMinSize(1).ofMaxSize(4);
    }

    @Provide
    Arbitrary<Object> values() {
        return AnyAmqp.value();
    }

    /** Two pieces: what asks for messages is answered before what settles them. */
    private static List<byte[]> pieces(List<Step> script) {
        int cut = script.size() - 3;
        for (int i = 0; i < script.size(); i++) {
            cut = script.get(i).code() == FLOW ? i : cut;
        }
        List<byte[]> first = new ArrayList<>(List.of(AmqpBytes.HEADER));
        List<byte[]> second = new ArrayList<>();
        for (int i = 0; i < script.size(); i++) {
            (i <= cut ? first : second).add(script.get(i).bytes());
        }
        return List.of(AmqpBytes.joined(first), AmqpBytes.joined(second));
    }

    /** Without a change the scripts make sense: or the changed ones would try out little. */
    @Property(tries = 1)
    void scripts_are_understood() {
        Scripts.all().forEach(script -> Fuzzing.broker().talk(pieces(script)));
        Fuzzing.broker().understood();
    }

    @Property
    void changed_bytes_in_a_good_conversation(
            @ForAll("scripts") List<Step> script, @ForAll("changes") List<Change> changes) {
        byte[] all = AmqpBytes.joined(pieces(script));
        for (Change change : changes) {
            all = change.applyTo(all);
        }
        Fuzzing.broker().talk(List.of(all));
    }

    @Property
    void frames_that_lie_about_themselves(
            @ForAll("scripts") List<Step> script,
            @ForAll int size,
            @ForAll byte offset,
            @ForAll byte type,
            @ForAll short channel,
            @ForAll("changes") List<Change> changes) {
        byte[] body = script.get(2).bytes();
        for (Change change : changes) {
            body = change.applyTo(body);
        }
        byte[] frame = ByteBuffer.allocate(8 + body.length)
                .putInt(size)
                .put(offset)
                .put(type)
                .putShort(channel)
                .put(body)
                .array();
        Fuzzing.broker().talk(List.of(AmqpBytes.joined(pieces(script.subList(0, 2))), frame));
    }

    @Property
    void anything_in_place_of_a_handshake(@ForAll("changes") List<Change> changes, @ForAll boolean sasl) {
        byte[] start = sasl
                ? AmqpBytes.joined(List.of(SASL, AmqpBytes.frame(1, 0, new byte[] {0, 0x53, 0x41, (byte) 0xC0, 1, 0})))
                : "GET /$servicebus/websocket HTTP/1.1\r\nSec-WebSocket-Key: eA==\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII);
        for (Change change : changes) {
            start = change.applyTo(start);
        }
        Fuzzing.broker().talk(List.of(start));
    }

    @Property
    void any_value_in_any_field_of_any_performative(
            @ForAll("scripts") List<Step> script, @ForAll int step, @ForAll int field, @ForAll("values") Object value) {
        List<Step> changed = new ArrayList<>(script);
        int at = Math.floorMod(step, script.size());
        changed.set(at, script.get(at).with(field, value));
        Fuzzing.broker().talk(pieces(changed));
    }

    @Property
    void any_value_in_any_section_of_a_message(
            @ForAll("scripts") List<Step> script,
            @ForAll("values") Object annotations,
            @ForAll("values") Object properties,
            @ForAll("values") Object body,
            @ForAll int which) {
        byte[] message = Scripts.message(
                (which & 1) == 0 ? null : annotations,
                (which & 2) == 0 ? new HashMap<>(Map.of("operation", "put-token", "name", body)) : properties,
                (which & 4) == 0 ? Scripts.arguments() : body);
        List<Step> changed = new ArrayList<>();
        script.forEach(step -> changed.add(step.code() == TRANSFER ? step.with(message) : step));
        Fuzzing.broker().talk(pieces(changed));
    }

    @Property
    void any_value_in_place_of_any_argument(
            @ForAll("operations") String operation, @ForAll("values") Object value, @ForAll int which) {
        Map<Object, Object> arguments = Scripts.arguments();
        List<Object> keys = new ArrayList<>(arguments.keySet());
        arguments.put(keys.get(Math.floorMod(which, keys.size())), value);
        byte[] message =
                Scripts.message(null, new HashMap<>(Map.of("operation", "com.microsoft:" + operation)), arguments);
        List<Step> changed = new ArrayList<>();
        Scripts.management("fuzzed", operation)
                .forEach(step -> changed.add(step.code() == TRANSFER ? step.with(message) : step));
        Fuzzing.broker().talk(pieces(changed));
    }

    @Property
    void values_without_a_bottom_in_any_field(
            @ForAll("scripts") List<Step> script,
            @ForAll int step,
            @ForAll int field,
            @ForAll Nested kind,
            @ForAll @IntRange(min = 1, max = 60_000) int levels) {
        List<byte[]> parts = new ArrayList<>(List.of(AmqpBytes.HEADER));
        int at = Math.floorMod(step, script.size());
        for (int i = 0; i < script.size(); i++) {
            parts.add(
                    i == at
                            ? script.get(i).bytesWith(field, kind.bytes(levels))
                            : script.get(i).bytes());
        }
        Fuzzing.broker().talk(List.of(AmqpBytes.joined(parts)));
    }

    @Property
    void values_without_a_bottom_in_any_section(
            @ForAll("scripts") List<Step> script,
            @ForAll @IntRange(min = 0x70, max = 0x78) int section,
            @ForAll Nested kind,
            @ForAll @IntRange(min = 1, max = 60_000) int levels) {
        byte[] message = Nested.section(section, kind.bytes(levels));
        List<Step> changed = new ArrayList<>();
        script.forEach(step -> changed.add(step.code() == TRANSFER ? step.with(message) : step));
        Fuzzing.broker().talk(pieces(changed));
    }

    @Provide
    Arbitrary<String> operations() {
        return Arbitraries.of(Scripts.operations());
    }
}
