package dev.waybill.walletforge.demo.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.FailureKind;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.PayloadCodec.Encoded;
import dev.waybill.outbox.PayloadCodec.Received;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeCodecTest {
    private static final Set<String> ORDERS = Set.of("orders");

    @TempDir
    private Path directory;

    private KeyDirectory keys;
    private EnvelopeCodec codec;

    @BeforeEach
    void create_a_key() {
        keys = new KeyDirectory(directory).rotateTo("k1");
        codec = EnvelopeCodec.of(KeyFiles.in(directory), ORDERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "250", "a body that is longer than one block of the cipher, and than two of them"})
    void what_is_encrypted_reads_as_it_was(String text) {
        Received sent = sent(message("m1").text(text).build());

        assertThat(codec.decode(sent)).asString().isEqualTo(text);
        assertThat(sent.body()).hasSize(12 + text.length() + 16);
        assertThat(new String(sent.body(), UTF_8) + sent.headers()).doesNotContain("250", "a body");
    }

    @Test
    void two_equal_messages_look_different() {
        Received one = sent(message("m1").text("same").build());
        Received other = sent(message("m1").text("same").build());

        assertThat(one.body()).isNotEqualTo(other.body());
    }

    @Test
    void no_nonce_comes_twice() {
        var nonces = new HashSet<String>();

        IntStream.range(0, 5_000)
                .mapToObj(i -> sent(message("m" + i).text("x").build()))
                .forEach(sent -> nonces.add(Arrays.toString(Arrays.copyOf(sent.body(), 12))));

        assertThat(nonces).hasSize(5_000);
    }

    @Test
    void no_byte_can_be_changed() {
        Received sent = sent(message("m1").text("250").build());

        for (int i = 0; i < sent.body().length; i++) {
            byte[] body = sent.body().clone();
            body[i] ^= 1;
            assertTampered(new Received("m1", "s", "Debited", sent.contentType(), sent.headers(), body));
        }
        for (int length = 0; length < sent.body().length; length++) {
            byte[] body = Arrays.copyOf(sent.body(), length);
            assertTampered(new Received("m1", "s", "Debited", sent.contentType(), sent.headers(), body));
        }
    }

    @Test
    void a_body_belongs_to_its_id_session_subject_and_content_type() {
        Received sent = sent(message("m1").json("250").build());

        assertThat(codec.decode(sent)).asString().isEqualTo("250");
        assertTampered(new Received("m2", "s", "Debited", "application/json", sent.headers(), sent.body()));
        assertTampered(new Received("m1", "t", "Debited", "application/json", sent.headers(), sent.body()));
        assertTampered(new Received("m1", null, "Debited", "application/json", sent.headers(), sent.body()));
        assertTampered(new Received("m1", "s", "Credited", "application/json", sent.headers(), sent.body()));
        assertTampered(new Received("m1", "s", "Debited", "text/plain", sent.headers(), sent.body()));
    }

    @Test
    void texts_cannot_move_from_one_place_to_the_next() {
        Received sent = sent(OutboxMessage.to("orders")
                .id("m1")
                .session("ab")
                .subject("c")
                .text("x")
                .build());

        assertTampered(new Received("m1", "a", "bc", sent.contentType(), sent.headers(), sent.body()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"encryption-key", "encryption-data-key", "encryption-for"})
    void no_property_of_the_envelope_can_be_changed_or_left_out(String property) {
        Received sent = sent(message("m1").text("250").build());
        keys.rotateTo("k2");
        var both = EnvelopeCodec.of(KeyFiles.in(directory), Set.of("orders", "refunds"));
        String other = switch (property) {
            case "encryption-key" -> "k2";
            case "encryption-for" -> "refunds";
            default -> "AAAA";
        };

        for (Object value : new Object[] {other, 1L}) {
            assertThatThrownBy(() -> both.decode(with(sent, property, value)))
                    .isInstanceOf(TamperedMessageException.class);
        }
        var without = new HashMap<>(sent.headers());
        without.remove(property);
        assertThatThrownBy(() -> both.decode(new Received(
                        sent.id(), sent.session(), sent.subject(), sent.contentType(), without, sent.body())))
                .isInstanceOf(TamperedMessageException.class);
    }

    @Test
    void a_form_that_only_a_newer_program_knows_is_no_final_failure() {
        Received newer = with(sent(message("m1").text("250").build()), "encryption", "AES-256-GCM/2");

        assertThatThrownBy(() -> codec.decode(newer))
                .hasMessageContaining("'AES-256-GCM/2'")
                .satisfies(e -> assertThat(EnvelopeCodec.FAILURES.classify(e)).isEmpty());
    }

    @Test
    void a_message_of_another_destination_is_refused_though_its_id_is_the_same() {
        var refunds = EnvelopeCodec.of(KeyFiles.in(directory), Set.of("refunds"));
        Received sent = sent(message("m1").text("250").build());

        assertThatThrownBy(() -> refunds.decode(sent))
                .isInstanceOf(TamperedMessageException.class)
                .hasMessageContaining("written for 'orders'");
    }

    @Test
    void plain_text_is_refused_unless_it_is_asked_for() {
        var plain = new Received("m1", "s", "Debited", "text/plain", Map.of(), "250".getBytes(UTF_8));

        assertThatThrownBy(() -> codec.decode(plain)).isInstanceOf(NotEncryptedException.class);
        assertThat(codec.withPlainTextToo().decode(plain)).asString().isEqualTo("250");
    }

    @Test
    void a_data_key_serves_as_many_messages_and_as_long_as_it_may() {
        var wraps = new AtomicInteger();
        var now = new AtomicLong();
        var bounded = EnvelopeCodec.of(counting(wraps), ORDERS, 10, Duration.ofMinutes(5), now::get);

        IntStream.range(0, 20)
                .forEach(i -> bounded.encode(message("m" + i).text("x").build()));
        assertThat(wraps).hasValue(2);
        now.set(Duration.ofMinutes(5).toNanos());
        bounded.encode(message("m").text("x").build());

        assertThat(wraps).hasValue(3);
    }

    @Test
    void a_rotation_is_seen_without_a_restart_and_what_came_before_stays_readable() {
        var now = new AtomicLong();
        var running = EnvelopeCodec.of(KeyFiles.in(directory), ORDERS, 1_000, Duration.ofMinutes(5), now::get);
        Received before = sent(running, message("m1").text("old").build());
        keys.rotateTo("k2");
        now.set(Duration.ofMinutes(5).toNanos());
        Received after = sent(running, message("m2").text("new").build());

        assertThat(before.headers()).containsEntry("encryption-key", "k1");
        assertThat(after.headers()).containsEntry("encryption-key", "k2");
        assertThat(running.decode(before)).asString().isEqualTo("old");
        assertThat(running.decode(after)).asString().isEqualTo("new");
    }

    @Test
    void a_key_that_is_gone_opens_nothing_once_its_data_keys_are_forgotten() {
        var now = new AtomicLong();
        var running = EnvelopeCodec.of(KeyFiles.in(directory), ORDERS, 1_000, Duration.ofMinutes(5), now::get);
        Received sent = sent(running, message("m1").text("250").build());
        running.decode(sent);
        keys.rotateTo("k2");
        String k1 = keys.remove("k1");
        assertThat(running.decode(sent)).asString().isEqualTo("250");
        now.set(Duration.ofMinutes(5).toNanos());

        assertThatThrownBy(() -> running.decode(sent))
                .isInstanceOf(UnknownKeyException.class)
                .hasMessageContaining("'k1'")
                .hasMessageContaining("[k2]");
        keys.write("k1", k1);
        assertThat(running.decode(sent)).asString().isEqualTo("250");
    }

    @Test
    void a_changed_message_has_failed_at_once_and_a_missing_key_may_come() {
        assertThat(EnvelopeCodec.FAILURES.classify(new TamperedMessageException("x", null)))
                .hasValue(FailureKind.PERMANENT);
        assertThat(EnvelopeCodec.FAILURES.classify(new NotEncryptedException("x")))
                .hasValue(FailureKind.PERMANENT);
        assertThat(EnvelopeCodec.FAILURES.classify(new UnknownKeyException("x")))
                .isEmpty();
    }

    private void assertTampered(Received message) {
        assertThatThrownBy(() -> codec.decode(message)).isInstanceOf(TamperedMessageException.class);
    }

    private KeyEncryption counting(AtomicInteger wraps) {
        KeyEncryption files = KeyFiles.in(directory);
        return new KeyEncryption() {
            @Override
            public WrappedKey wrap(byte[] dataKey) {
                wraps.incrementAndGet();
                return files.wrap(dataKey);
            }

            @Override
            public byte[] unwrap(WrappedKey wrapped) {
                return files.unwrap(wrapped);
            }
        };
    }

    private static Received with(Received sent, String property, Object value) {
        var headers = new HashMap<>(sent.headers());
        headers.put(property, value);
        return new Received(sent.id(), sent.session(), sent.subject(), sent.contentType(), headers, sent.body());
    }

    private Received sent(OutboxMessage message) {
        return sent(codec, message);
    }

    private static Received sent(EnvelopeCodec codec, OutboxMessage message) {
        Encoded encoded = codec.encode(message);
        return new Received(
                message.id(),
                message.session().orElse(null),
                message.subject().orElse(null),
                message.contentType().orElse(null),
                Map.copyOf(encoded.headers()),
                encoded.body());
    }

    private static OutboxMessage.Builder message(String id) {
        return OutboxMessage.to("orders").id(id).session("s").subject("Debited");
    }
}
