package dev.waybill.inbox;

/** Puts the parts of a consumer together. */
final class ConsumerParts {
    private ConsumerParts() {}

    static ReceiverTurn turn(ConsumerSettings settings, MessageSource source, Handler handler, Pace pace) {
        EntityFacts facts = source.facts();
        var database = new Database(settings.dataSource);
        var gate = new DatabaseGate(settings.dataSource, settings.listener);
        var transaction = new InboxTransaction(
                settings.dataSource,
                InboxInsert.bounded(settings.schema, settings.lockTimeout(facts)),
                settings.name,
                new BodyClaiming(handler, settings.claims));
        var attempts = new Attempts(transaction, settings.failures, gate, settings.listener, settings.handlerTimeout);
        var closes = new SessionCloses(database, settings.schema, settings.name, facts.path());
        var messages = new MessageTurn(
                attempts,
                settings.retries,
                new Disposal(facts, settings.deliveries, closes, settings.listener),
                new Starts(database, settings.schema, settings.name, settings.deliveries.maxStarts()),
                pace,
                settings.listener);
        return new ReceiverTurn(source, messages, gate, settings.idle(facts), pace);
    }
}
