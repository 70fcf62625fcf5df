package dev.waybill.inbox;

import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The parts of a consumer, put together. */
final class ConsumerParts {
    final ReceiverTurn receivers;
    final HoldTurn holds;
    final ResumeTurn resumes;
    final ForgottenTurn forgotten;
    final Instances instances;
    final DatabaseGate gate;
    final @Nullable CleanUp cleanUp;
    private final ConsumerSettings settings;
    private final EntityFacts facts;
    private final Pace pace;
    private final Cut cut;

    ConsumerParts(ConsumerSettings settings, MessageSource source, Handler handler, Pace pace) {
        this.settings = settings;
        this.facts = source.facts();
        this.pace = pace;
        DSLContext dsl = settings.schema.in(DSL.using(settings.dataSource, SQLDialect.POSTGRES));
        var database = new Database(settings.dataSource);
        cut = new Cut(database);
        var claiming = new BodyClaiming(handler, settings.claims);
        gate = new DatabaseGate(settings.dataSource, settings.listener);
        var insert = InboxInsert.bounded(settings.schema, settings.lockTimeout(facts));
        var deferrals = Deferrals.in(settings.schema);
        var tries = new Tries(new InboxTransaction(settings.dataSource, claiming), settings, gate, pace);
        var disposal = new Disposal(
                facts,
                settings,
                new Holding(dsl, settings.schema, insert, settings.name),
                new SessionCloses(database, settings.schema, settings.name, facts.path()),
                deferrals,
                database);
        instances = new Instances(database, settings.schema, settings.name);
        var starts = new Starts(database, settings.schema, settings.name, settings.deliveries.maxStarts(), instances);
        var arrived = new Arrived(insert, settings.name, deferrals);
        var messages = new MessageTurn(tries, arrived, disposal, starts, settings.listener);
        var all = new BatchInsert(settings.schema, settings.lockTimeout(facts), settings.name);
        var run = new MessageRun(messages, starts, !facts.deletesOnReceive(), pace);
        var batches =
                new BatchTurn(new BatchTransaction(settings, all, insert, arrived, claiming), run, starts, settings);
        receivers = new ReceiverTurn(source, batches, gate, settings, pace);
        resumes = new ResumeTurn(source, messages, deferrals, database, settings.name, settings.listener);
        forgotten = new ForgottenTurn(dsl, deferrals, settings);
        cleanUp = settings.retention == null
                ? null
                : new CleanUp(database, settings.schema, settings.name, settings.retention);
        holds = new HoldTurn(dsl, settings, facts, tries, insert, pace);
    }

    /** A worker's own. */
    Work newWork() {
        return new Work(settings.limits(facts), pace, cut);
    }
}
