package dev.waybill.standalone.console.page.form;

import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.message.BodyText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers, times and addresses; templates call it {@code show}. */
public final class Formats {
    public static final Formats INSTANCE = new Formats();

    private static final int LONGEST = 300;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Formats() {}

    public String number(Number number) {
        return String.format(Locale.ROOT, "%,d", number.longValue());
    }

    /** A number; "or more" marks the limit of a count. */
    public String upTo(long number, long counted) {
        return number(number) + (number >= counted ? " or more" : "");
    }

    /** One decimal place, rounded up so that a flow is never 0. */
    public String rate(double perSecond) {
        double rounded = Math.ceil(perSecond * 10) / 10;
        return rounded == 0 ? "0" : String.format(Locale.ROOT, "%,.1f", rounded);
    }

    public String age(Number seconds) {
        return Times.roughly(Duration.ofSeconds(Math.round(seconds.doubleValue())));
    }

    public String time(Instant time) {
        return TIME.format(time);
    }

    public String exactly(Instant time) {
        return MILLIS.format(time);
    }

    /** For the attribute {@code datetime}. */
    public String machine(Instant time) {
        return time.toString();
    }

    public String url(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The first characters of a value, in one line. */
    public String beginning(@Nullable Object value) {
        String text = value == null ? "" : BodyText.escaped(String.valueOf(value));
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** {@code 0–3, 7} for numbers in order. */
    public String ranges(List<Integer> numbers) {
        var text = new StringBuilder();
        for (int i = 0; i < numbers.size(); i++) {
            int first = numbers.get(i);
            while (i + 1 < numbers.size() && numbers.get(i + 1) == numbers.get(i) + 1) {
                i++;
            }
            text.append(text.isEmpty() ? "" : ", ").append(first);
            if (numbers.get(i) != first) {
                text.append('–').append(numbers.get(i));
            }
        }
        return text.toString();
    }
}
