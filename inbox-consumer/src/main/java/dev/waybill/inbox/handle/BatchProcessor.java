package dev.waybill.inbox.handle;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.LockLostException;
import dev.waybill.inbox.heartbeat.CrashCounter;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.settle.Handled;
import dev.waybill.inbox.settle.Settlements;
import dev.waybill.inbox.transaction.BatchTransaction;
import dev.waybill.inbox.transaction.InboxTransaction;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles several messages of a session, as many as possible in one transaction and the rest one by one. */
public final class BatchProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(BatchProcessor.class);

    private final BatchTransaction transaction;
    private final MessageSequence messages;
    private final CrashCounter crashes;
    private final ConsumerSettings settings;

    public BatchProcessor(
            BatchTransaction transaction, MessageSequence messages, CrashCounter crashes, ConsumerSettings settings) {
        this.transaction = transaction;
        this.messages = messages;
        this.crashes = crashes;
        this.settings = settings;
    }

    /** Throws {@link LockLostException} if the session's lock is lost. */
    public Handled run(Settlements settling, ReceivedBatch received, InFlightWork work) throws InterruptedException {
        List<InboundMessage> batch = received.taken();
        int together = settings.receiving().batch() > 1
                        && batch.size() > 1
                        && batch.stream().noneMatch(crashes::concerns)
                ? handleTogether(settling, batch, work)
                : 0;
        return messages.run(settling, together == 0 ? received : received.from(together), work);
    }

    private int handleTogether(Settlements settling, List<InboundMessage> batch, InFlightWork work) {
        List<InboxTransaction.Result> done = commitTogether(batch, work);
        for (int i = 0; i < done.size(); i++) {
            settings.hooks().listener().received(batch.get(i));
            settling.complete(batch.get(i), done.get(i).outcome());
        }
        return done.size();
    }

    // After a failure each message is tried alone, where the policies apply.
    private List<InboxTransaction.Result> commitTogether(List<InboundMessage> batch, InFlightWork work) {
        work.begin();
        try {
            return transaction.process(batch, work);
        } catch (LockLostException e) {
            throw e;
        } catch (Throwable e) {
            work.end();
            work.requireLock();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.debug("{} messages could not be handled together", batch.size(), e);
            return List.of();
        } finally {
            work.end();
            work.settled();
        }
    }
}
