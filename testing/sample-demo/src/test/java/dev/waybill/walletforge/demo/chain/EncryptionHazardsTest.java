package dev.waybill.walletforge.demo.chain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.inbox.OnFailure;
import dev.waybill.outbox.Outbox;
import dev.waybill.walletforge.demo.encryption.EncryptedLetters;
import dev.waybill.walletforge.demo.encryption.EnvelopeCodec;
import dev.waybill.walletforge.demo.encryption.NotEncryptedException;
import dev.waybill.walletforge.demo.encryption.TamperedMessageException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted bodies, and what intruders, operators and handlers do to them. */
class EncryptionHazardsTest extends EncryptedChain {
    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void bodies_that_are_changed_or_swapped_in_the_table_are_found_and_the_others_are_handled(int batch) {
        append(message("changed", 1), message("a", 1), message("b", 1), message("honest", 1));
        String outbox = chain.schema.table("outbox_message");
        chain.dsl.execute(
                "update " + outbox
                        + " set payload = set_byte(payload, 20, (get_byte(payload, 20) + 1) % 256) where message_id = 'changed'");
        chain.dsl.execute("update " + outbox + " as one set payload = other.payload, headers = other.headers from "
                + outbox + " as other where (one.message_id, other.message_id) in (('a', 'b'), ('b', 'a'))");
        relay();
        collect();
        chain.consumer(
                bus,
                reading,
                consumer ->
                        consumer.codec(codec).failures(EnvelopeCodec.FAILURES).batch(batch));

        await().until(() -> read.containsKey("honest"));
        awaitDead(3);
        assertThat(read).containsOnlyKeys("honest");
        assertThat(letters.list(DeadLetterFilter.open(), 0, 10))
                .extracting(letter -> letter.death().reason())
                .containsOnly(TamperedMessageException.class.getName());
    }

    @Test
    void plain_text_that_somebody_sends_past_the_outbox_is_not_handled() {
        chain.append(Outbox.builder().schema(chain.schema).build(), List.of(message("forged", 1)));
        relay();
        collect();
        consume(OnFailure.DEAD_LETTER);

        awaitDead(1);
        assertThat(letters.list(DeadLetterFilter.open(), 0, 1).get(0).death().reason())
                .isEqualTo(NotEncryptedException.class.getName());
        assertThat(read).isEmpty();
    }

    @Test
    void an_encrypted_dead_letter_is_repaired_where_the_keys_are_and_nowhere_else() throws Exception {
        refused.addAll(Set.of("m1", "m2"));
        append(message("m1", 1), message("m2", 1));
        relay();
        collect();
        consume(OnFailure.DEAD_LETTER);
        awaitDead(2);
        keys.rotateTo("2026-11");
        codec = restarted();
        var repair = new EncryptedLetters(letters, codec);
        List<DeadLetter> dead = letters.list(DeadLetterFilter.open(), 0, 10);

        assertThat(repair.read(dead.get(0).id())).asString().isEqualTo(SECRET + " m1");
        repair.edit(dead.get(0).id(), body -> (new String(body, UTF_8) + ", repaired").getBytes(UTF_8), WORD);
        letters.edit(
                dead.get(1).id(), content -> content.withBody("repaired by hand, without keys".getBytes(UTF_8)), WORD);
        assertThatThrownBy(() -> repair.read(dead.get(1).id())).hasMessageContaining("not as it was written");
        assertNothingTells("dead_letter_message", "dead_letter_version", "operator_action");
        refused.clear();
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        await().until(() -> (SECRET + " m1, repaired").equals(read.get("m1")));
        awaitDead(1);
        assertThat(letters.list(DeadLetterFilter.open(), 0, 1).get(0).death().reason())
                .isEqualTo(TamperedMessageException.class.getName());
        assertThat(read).containsOnlyKeys("m1");
    }

    @Test
    void what_a_handler_says_when_it_throws_is_plain_text_wherever_failures_are_told() {
        append(message("m1", 1));
        relay();
        collect();
        chain.consumer(
                bus,
                (tx, message) -> {
                    throw new IllegalArgumentException("Cannot read " + message.text());
                },
                consumer -> consumer.codec(codec));

        awaitDead(1);
        DeadLetter dead = letters.list(DeadLetterFilter.open(), 0, 1).get(0);
        assertThat(dead.death().description()).contains("Cannot read " + SECRET + " m1");
        assertThat(new String(dead.content().body(), UTF_8)).doesNotContain(SECRET);
    }
}
