package dev.waybill.walletforge.demo.encryption;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.FieldChange;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.PayloadCodec.Encoded;
import dev.waybill.outbox.PayloadCodec.Received;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;

/**
 * Repairs the bodies of encrypted dead letters, where the keys are. The relay's commands have no keys, and show
 * and edit what is encrypted.
 */
public record EncryptedLetters(DeadLetters letters, EnvelopeCodec codec) {
    /** The body as its writer built it; for the eyes of somebody who may read it. */
    public byte[] read(long id) {
        return codec.decode(Received.of(letter(id).content()));
    }

    /**
     * Changes a body and encrypts it anew, with the key that is current now. The database keeps the encrypted
     * original, and the audit a digest of what is encrypted.
     *
     * @throws IllegalStateException if somebody else has changed it meanwhile
     */
    public List<FieldChange> edit(long id, UnaryOperator<byte[]> change, AuditContext word) {
        // The keys may be far away: they are asked before the transaction begins.
        MessageContent old = letter(id).content();
        MessageContent changed = sealed(old, change.apply(codec.decode(Received.of(old))));
        return letters.edit(
                id,
                now -> {
                    if (!Arrays.equals(now.body(), old.body())) {
                        throw new IllegalStateException("Dead letter " + id + " was changed by somebody else");
                    }
                    return changed;
                },
                word);
    }

    private DeadLetter letter(long id) {
        DeadLetter letter =
                letters.show(id).orElseThrow(() -> new NoSuchElementException("There is no dead letter " + id));
        if (letter.content().properties().containsKey(WireContract.CLAIM)) {
            throw new IllegalStateException(
                    "The body of dead letter " + id + " is kept outside it, in the claim store");
        }
        return letter;
    }

    private MessageContent sealed(MessageContent content, byte[] body) {
        Encoded encoded = codec.encode(message(content, body));
        var properties = new LinkedHashMap<>(content.properties());
        properties.putAll(encoded.headers());
        return content.withBody(encoded.body()).withProperties(properties);
    }

    // Only what the codec binds; the rest stays as the letter has it.
    private static OutboxMessage message(MessageContent content, byte[] body) {
        var message = OutboxMessage.to(Envelope.of(Received.of(content)).destination())
                .id(content.messageId())
                .body(body, content.contentType() == null ? "" : content.contentType());
        if (content.sessionId() != null) {
            message.session(content.sessionId());
        }
        if (content.subject() != null) {
            message.subject(content.subject());
        }
        return message.build();
    }
}
