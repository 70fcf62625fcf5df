package dev.waybill.standalone.scale;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.health.ScaleAnswer;
import dev.waybill.standalone.health.ScaleQuestions;
import dev.waybill.standalone.servicebus.Bus;
import dev.waybill.standalone.servicebus.SessionCounter.Count;
import dev.waybill.supervision.RootCause;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers scalers. An unknown number is an error, because a scaler that reads 0 ends consumers. */
public final class ScaleFigures implements ScaleQuestions {
    /** Far fewer than the threads that probes have. */
    private static final int MOST_WAITING = 8;

    private final Semaphore waiting = new Semaphore(MOST_WAITING);
    private final Configuration configuration;
    private final Supplier<Map<String, OptionalLong>> destinations;
    private final SessionWalks<SessionEntity> walks = new SessionWalks<>(System::nanoTime);

    /**
     * Answers for a configuration.
     *
     * @param destinations how many destinations of each database wait; empty if it does not answer
     */
    public ScaleFigures(Configuration configuration, Supplier<Map<String, OptionalLong>> destinations) {
        this.configuration = configuration;
        this.destinations = destinations;
    }

    @Override
    public ScaleAnswer destinations() {
        long sum = 0;
        for (Map.Entry<String, OptionalLong> database : destinations.get().entrySet()) {
            if (database.getValue().isEmpty()) {
                return ScaleAnswer.unavailable("database " + database.getKey() + " has not answered lately");
            }
            sum += database.getValue().getAsLong();
        }
        return ScaleAnswer.of("destinations", sum, false);
    }

    @Override
    public ScaleAnswer sessions(@Nullable String query) {
        if (!waiting.tryAcquire()) {
            return ScaleAnswer.unavailable(MOST_WAITING + " other questions wait for a broker");
        }
        try {
            return answer(query);
        } finally {
            waiting.release();
        }
    }

    private ScaleAnswer answer(@Nullable String query) {
        try {
            String name = parameter(query, "entity")
                    .orElseThrow(() -> new NoSuchElementException("Which entity? Add ?entity=NAME"));
            SessionEntity entity = SessionEntity.find(configuration, name, parameter(query, "namespace"));
            Count count = walks.of(
                    entity, () -> new Bus(entity.namespace()).sessions().count(entity.entity(), entity.subscription()));
            return ScaleAnswer.of("sessions", count.sessions(), count.atLeast());
        } catch (NoSuchElementException | IllegalArgumentException e) {
            return ScaleAnswer.unknown(String.valueOf(e.getMessage()));
        } catch (TimeoutException e) {
            return ScaleAnswer.unavailable("the broker has not answered within " + SessionWalks.LONGEST_WAIT.toMillis()
                    + " ms; it is still being asked");
        } catch (ExecutionException e) {
            return ScaleAnswer.unavailable("the broker gives no count: " + RootCause.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ScaleAnswer.unavailable("interrupted");
        }
    }

    private static Optional<String> parameter(@Nullable String query, String name) {
        return Stream.of((query == null ? "" : query).split("&"))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
                .findFirst();
    }
}
