package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.mailbox.Entry;
import dev.waybill.servicebus.embedded.mailbox.Lookup;
import dev.waybill.servicebus.embedded.mailbox.Mailbox;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.mailbox.Requester;
import dev.waybill.servicebus.embedded.mailbox.Settlement;
import dev.waybill.servicebus.embedded.message.Timestamps;
import dev.waybill.servicebus.embedded.transaction.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.qpid.proton.amqp.Binary;

final class MessageOperations {
    /** For more, clients ask again from the end of the answer. */
    private static final int MOST_PEEKED = 250;
    /** The map around each message in an answer. */
    private static final int BYTES_AROUND_ONE = 32;

    private final Namespace namespace;
    private final String path;

    MessageOperations(Namespace namespace, String path) {
        this.namespace = namespace;
        this.path = path;
    }

    void register(Map<String, Operation> operations) {
        operations.put("peek-message", this::peek);
        operations.put("receive-by-sequence-number", this::receive);
        operations.put("renew-lock", (arguments, by) -> renew(arguments));
        operations.put("update-disposition", (arguments, by) -> settle(arguments));
        operations.put("batch-delete-messages", this::delete);
    }

    private Mailbox mailbox() {
        return namespace.managed(path);
    }

    private BrokerClock clock() {
        return namespace.context().loop().clock();
    }

    private Reply peek(Arguments arguments, Requester by) {
        int count = Math.min(Math.max(1, arguments.count("message-count", 1)), MOST_PEEKED);
        List<Entry> found = new Lookup(mailbox())
                .peek(arguments.number("from-sequence-number"), count, arguments.text("session-id"));
        if (found.isEmpty()) {
            return Reply.nothing();
        }
        long room = Math.min(namespace.context().limits().batchBytes(), by.largestAnswer());
        List<Map<String, Object>> messages = new ArrayList<>();
        for (Entry entry : found) {
            byte[] bytes = entry.encode(clock());
            room -= bytes.length + BYTES_AROUND_ONE;
            if (room < 0 && !messages.isEmpty()) {
                break;
            }
            messages.add(Map.of("message", new Binary(bytes)));
        }
        return Reply.ok(Map.of("messages", messages));
    }

    private Reply receive(Arguments arguments, Requester by) {
        boolean delete = arguments.count("receiver-settle-mode", 1) == 0;
        Lookup lookup = new Lookup(mailbox());
        List<Entry> found =
                lookup.deferred(arguments.distinctNumbers("sequence-numbers"), arguments.text("session-id"), by);
        requireFits(found, by.largestAnswer());
        List<Map<String, Object>> messages = new ArrayList<>();
        for (Entry entry : found) {
            Map<String, Object> message = new HashMap<>();
            if (delete) {
                message.put("message", new Binary(entry.encode(clock())));
                lookup.take(entry);
            } else {
                lookup.lock(entry);
                message.put("message", new Binary(entry.encodeWithLock(clock())));
                message.put("lock-token", entry.lockToken());
            }
            messages.add(message);
        }
        return Reply.ok(Map.of("messages", messages));
    }

    // Before any lock: the client would not receive an answer above its link's limit.
    private void requireFits(List<Entry> found, long most) {
        long bytes = 0;
        for (Entry entry : found) {
            bytes += entry.encode(clock()).length + BYTES_AROUND_ONE;
        }
        if (found.size() > 1 && bytes > most) {
            throw new Refused(
                    BrokerError.MESSAGE_SIZE_EXCEEDED,
                    "The messages (size: " + bytes + ") are more than the link for answers takes (" + most + ").");
        }
    }

    private Reply delete(Arguments arguments, Requester by) {
        int most = namespace.context().limits().tier().mostDeleted();
        int count = arguments.count("message-count", most);
        if (count < 1 || count > most) {
            throw new Refused(
                    BrokerError.ARGUMENT_OUT_OF_RANGE,
                    "Invalid Message Count : requested " + count + ". Message count should be between 1 and " + most
                            + ".");
        }
        if (mailbox().options().partitioned()) {
            throw new Refused(
                    BrokerError.NOT_ALLOWED, "Messages of a partitioned entity cannot be deleted in batches.");
        }
        Long before = arguments.moment("enqueued-time-utc");
        int deleted = new Lookup(mailbox())
                .delete(count, before == null ? clock().wallMillis() : before, arguments.text("session-id"), by);
        return deleted == 0 ? Reply.nothing() : Reply.ok(Map.of("message-count", deleted));
    }

    private Reply renew(Arguments arguments) {
        Lookup lookup = new Lookup(mailbox());
        List<UUID> tokens = arguments.tokens("lock-tokens");
        long[] expirations = new long[tokens.size()];
        for (int i = 0; i < expirations.length; i++) {
            expirations[i] = clock().toWall(lookup.renew(tokens.get(i)));
        }
        return Reply.ok(Map.of("expirations", Timestamps.array(expirations)));
    }

    private Reply settle(Arguments arguments) {
        Mailbox mailbox = mailbox();
        Settlement settlement = settlement(arguments);
        List<Entry> entries = new ArrayList<>();
        for (UUID token : arguments.distinctTokens("lock-tokens")) {
            entries.add(mailbox.held(token));
        }
        entries.forEach(entry -> mailbox.check(entry, settlement));
        entries.forEach(entry -> mailbox.settle(entry, settlement));
        return Reply.ok();
    }

    Transacted settleLater(Arguments arguments) {
        Mailbox mailbox = mailbox();
        Settlement settlement = settlement(arguments);
        Set<UUID> tokens = arguments.distinctTokens("lock-tokens");
        tokens.forEach(token -> mailbox.check(mailbox.held(token), settlement));
        return new Transacted(Reply.ok(), new Work() {
            @Override
            public Set<UUID> locks() {
                return tokens;
            }

            @Override
            public void check() {
                tokens.forEach(token -> mailbox.check(mailbox.held(token), settlement));
            }

            @Override
            public void apply() {
                tokens.forEach(token -> mailbox.settle(mailbox.held(token), settlement));
            }
        });
    }

    private static Settlement settlement(Arguments arguments) {
        Map<String, Object> properties = arguments.properties("properties-to-modify");
        String status = arguments.requiredText("disposition-status");
        return switch (status) {
            case "completed" -> Settlement.complete();
            case "abandoned" -> Settlement.abandon(properties);
            case "defered" -> Settlement.defer(properties);
            case "released" -> Settlement.release();
            case "suspended" ->
                Settlement.deadLetter(
                        arguments.text("deadletter-reason"), arguments.text("deadletter-description"), properties);
            default -> throw new Refused(BrokerError.ARGUMENT_ERROR, "There is no disposition '" + status + "'.");
        };
    }
}
