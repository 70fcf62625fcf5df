package dev.waybill.walletforge.demo.input;

import dev.waybill.walletforge.payment.Payment;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads {@code tx_id,wallet_id,kind,amount_cents} and checks the whole file before it gives anything back.
 *
 * <p>UTF-8, with or without byte order mark; any line ends; empty lines are skipped; a first line with exactly the four
 * names is a header. Fields may be quoted; blanks around a field belong to it.
 */
public final class PaymentCsv {
    // Empty lines come as records, so that the first line of the next record is always known.
    private static final CSVFormat FORMAT =
            CSVFormat.DEFAULT.builder().setIgnoreEmptyLines(false).get();

    private final Path file;
    private final List<Payment> lines = new ArrayList<>();
    private final HashSet<String> known = new HashSet<>();
    private long credits;

    private PaymentCsv(Path file) {
        this.file = file;
    }

    /**
     * The payments of a file.
     *
     * @throws BadInputException naming file, line and reason
     */
    public static PaymentInput read(Path file) {
        return new PaymentCsv(file).parse(Utf8File.read(file));
    }

    private PaymentInput parse(String text) {
        try (Reader reader = new StringReader(text);
                var parser =
                        CSVParser.builder().setReader(reader).setFormat(FORMAT).get()) {
            Iterator<CSVRecord> records = parser.iterator();
            long line = 1;
            while (hasNext(records, line)) {
                take(records.next(), line);
                line = parser.getCurrentLineNumber() + 1;
            }
            return new PaymentInput(List.copyOf(lines), known.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // Reads the next record; this is where the parser trips over quotes.
    private boolean hasNext(Iterator<CSVRecord> records, long line) {
        try {
            return records.hasNext();
        } catch (UncheckedIOException | IllegalStateException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new BadInputException(file, line, "malformed CSV: " + cause.getMessage());
        }
    }

    private void take(CSVRecord record, long line) {
        boolean blank = record.size() == 1 && record.get(0).isEmpty();
        if (blank || (line == 1 && PaymentRow.isHeader(record))) {
            return;
        }
        try {
            add(PaymentRow.parse(record));
        } catch (IllegalArgumentException e) {
            throw new BadInputException(file, line, String.valueOf(e.getMessage()));
        }
    }

    private void add(Payment payment) {
        if (known.add(payment.txId())) {
            credits = addCredit(payment);
        }
        lines.add(payment);
    }

    // As long as all credits together fit a long, so does every balance.
    private long addCredit(Payment payment) {
        try {
            return switch (payment.kind()) {
                case CREDIT -> Math.addExact(credits, payment.amountCents());
                case DEBIT -> credits;
            };
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the credits up to here add up to more than " + Long.MAX_VALUE, e);
        }
    }
}
