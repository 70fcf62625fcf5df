package dev.waybill.servicebus.embedded.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules of any text, on any message: each parses or is refused, evaluates or fails as documented. */
class RuleFuzzTest {

    private static final int ROUNDS = 40_000;
    private static final Duration BOUND = Duration.ofSeconds(60);

    private static final List<String> WORDS = List.of(
            ("AND OR NOT LIKE ESCAPE IN EXISTS IS NULL TRUE FALSE SET REMOVE sys user sys.Label sys.To sys.Nope a b c "
                            + "user.a [a] \"b\" [x y] 'a' 'a%' '_' '!' '' '5' 0 1 2 -1 1.5 1E3 9223372036854775807 "
                            + "-9223372036854775808 @p @q @r newid() p('a') property(b) p( ( ) ( ) , . ; = <> != < <= > "
                            + ">= + - * / % = + AND OR")
                    .split(" "));

    private static final List<String> FILTERS = List.of(
            "color = 'blue' AND quantity = 10",
            "sys.Label LIKE '%bus%' OR user.tag IN ('queue', 'topic', 'subscription')",
            "a NOT IN (1, b + 2, @p) AND NOT (c IS NOT NULL OR EXISTS(sys.To))",
            "(a + 1) * 2 % 3 - -b >= c / 2.5E0",
            "a LIKE 'ABC!%' + b ESCAPE '!'",
            "p('a' + b) <> newid() AND [x y] < \"b\"");

    private static final List<String> ACTIONS = List.of(
            "SET a = b * 2; REMOVE c; SET sys.CorrelationId = 'low' + a;",
            "SET [x y] = p('a') SET sys.Label = newid() REMOVE sys.To",
            "SET sys.TimeToLive = @r\nSET a = -a % (b + 1)");

    private static final List<Object> VALUES = Arrays.asList(
            null,
            0,
            1,
            -1,
            5L,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            1.5,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            0.1f,
            (byte) 7,
            new BigDecimal("79228162514264337593543950335"),
            new BigDecimal("1E-2000000000"),
            BigInteger.TWO.pow(64),
            "",
            "a",
            "a%b!",
            "5",
            "a".repeat(60_000),
            true,
            'x',
            new UUID(1, 2),
            Instant.MAX,
            Instant.EPOCH,
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofMinutes(5),
            new byte[] {1, 2},
            List.of("opaque"));

    private static final Map<String, Object> PARAMETERS = Map.of("@p", 5, "@q", "a%", "@r", Duration.ofMinutes(1));

    private int evaluated;

    @Test
    void the_known_seed_finds_nothing() {
        fuzz(20_260_301L);
    }

    @Test
    void a_new_seed_finds_nothing() {
        long seed = new Random().nextLong();
        System.out.println("RuleFuzzTest seed: " + seed);
        fuzz(seed);
    }

    private void fuzz(long seed) {
        Random random = new Random(seed);
        assertTimeoutPreemptively(BOUND, () -> {
            for (int round = 0; round < ROUNDS; round++) {
                tryOut(seed, text(random), message(random));
            }
        });
        assertThat(evaluated).as("rules that were valid").isGreaterThan(ROUNDS / 50);
    }

    private static String text(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> soup(random, 1 + random.nextInt(12));
            case 1 -> "a = " + soup(random, 1 + random.nextInt(4));
            case 2 -> mutated(random, pick(random, FILTERS));
            default -> mutated(random, pick(random, ACTIONS));
        };
    }

    private static String soup(Random random, int words) {
        StringBuilder soup = new StringBuilder();
        for (int i = 0; i < words; i++) {
            soup.append(pick(random, WORDS)).append(random.nextInt(4) == 0 ? "" : " ");
        }
        return soup.toString();
    }

    private static String mutated(Random random, String valid) {
        StringBuilder text = new StringBuilder(valid);
        for (int i = random.nextInt(4); i > 0 && text.length() > 1; i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, " " + pick(random, WORDS) + " ");
                case 2 -> text.setCharAt(at, (char) random.nextInt(0x250));
                case 3 -> text.setLength(Math.max(1, at));
                default -> text.append(text, at, text.length());
            }
        }
        return text.toString();
    }

    private static SampleMessage message(Random random) {
        SampleMessage message = SampleMessage.empty();
        for (String name : List.of("a", "b", "c", "x y", "quantity")) {
            if (random.nextInt(5) > 0) {
                message.and(name, pick(random, VALUES));
            }
        }
        return message.and(SystemProperty.LABEL, pick(random, VALUES));
    }

    private void tryOut(long seed, String text, FilterableMessage message) {
        try {
            tryOut(text, message);
        } catch (RuntimeException | StackOverflowError e) {
            fail("Seed " + seed + ", message " + message.userProperties() + ", rule: " + text, e);
        }
    }

    private void tryOut(String text, FilterableMessage message) {
        SqlFilter filter = orRefused(() -> SqlFilter.parse(text, PARAMETERS), text);
        if (filter != null) {
            evaluate(() -> filter.matches(message));
        }
        SqlAction action = orRefused(() -> SqlAction.parse(text, PARAMETERS), text);
        if (action != null) {
            evaluate(() -> action.apply(message));
        }
    }

    private static <T> @Nullable T orRefused(Supplier<T> parse, String text) {
        try {
            return parse.get();
        } catch (FilterSyntaxException refused) {
            assertThat(refused.position()).isBetween(0, text.length());
            return null;
        }
    }

    private void evaluate(Runnable evaluation) {
        evaluated++;
        try {
            evaluation.run();
        } catch (FilterEvaluationException expected) {
            assertThat(expected).hasMessageMatching("(?s).+");
        }
    }

    private static <T> T pick(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
