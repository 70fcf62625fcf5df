package dev.waybill.walletforge.demo.fault;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;

/**
 * A handler that goes wrong now and then: it throws an Error before or after its effects, throws an InterruptedException, or
 * leaves its thread interrupted. Thread-safe.
 */
public final class HandlerFaults {
    private static final int EVERY = 30;

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();
    private final AtomicInteger interrupts = new AtomicInteger();
    private final AtomicInteger flags = new AtomicInteger();

    /** The handler, with a fault of another kind in each thirtieth call. */
    public Handler in(Handler handler) {
        return (tx, message) -> {
            int call = calls.incrementAndGet();
            return call % EVERY == 0 ? goWrong(call / EVERY, handler, tx, message) : handler.handle(tx, message);
        };
    }

    /** How often each kind has hit so far. */
    Map<String, Integer> counts() {
        var counts = new LinkedHashMap<String, Integer>();
        counts.put("handlerErrors", errors.get());
        counts.put("handlerInterrupts", interrupts.get());
        counts.put("interruptFlagsLeft", flags.get());
        return counts;
    }

    /** The same in words. */
    String inWords() {
        return "the handler threw " + errors + " Errors and " + interrupts
                + " InterruptedExceptions, and left its thread" + " interrupted " + flags + " times";
    }

    private Verdict goWrong(int fault, Handler handler, DSLContext tx, InboundMessage message) throws Exception {
        if (fault % 4 == 1) {
            errors.incrementAndGet();
            throw new NoClassDefFoundError("a class that is missing for a moment, before any effect");
        }
        Verdict verdict = handler.handle(tx, message);
        switch (fault % 4) {
            case 2 -> {
                errors.incrementAndGet();
                throw new StackOverflowError();
            }
            case 3 -> {
                interrupts.incrementAndGet();
                throw new InterruptedException("not by the consumer");
            }
            default -> {
                flags.incrementAndGet();
                Thread.currentThread().interrupt();
            }
        }
        return verdict;
    }
}
