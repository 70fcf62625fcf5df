package dev.waybill.walletforge.demo.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaymentCsvTest {
    private static final String MAX = String.valueOf(Long.MAX_VALUE);

    @TempDir
    private Path directory;

    @Test
    void lines_become_payments_in_file_order() {
        assertThat(read("t1,w1,credit,100\nt2,w2,debit,0\n").lines())
                .containsExactly(new Payment("t1", "w1", Kind.CREDIT, 100), new Payment("t2", "w2", Kind.DEBIT, 0));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "t1,w1,credit,7",
                "t1,w1,credit,7\\n",
                "\\uFEFFt1,w1,credit,7\\n",
                "tx_id,wallet_id,kind,amount_cents\\nt1,w1,credit,7",
                "\\uFEFFtx_id,wallet_id,kind,amount_cents\\r\\nt1,w1,credit,7\\r\\n",
                "\\n\\nt1,w1,credit,7\\n\\n",
                "\"t1\",\"w1\",\"credit\",\"7\"\\r\\n",
            },
            delimiter = ';')
    void spellings_of_one_file_read_alike(String text) {
        var input = read(unescape(text));

        assertThat(input.lines()).containsExactly(new Payment("t1", "w1", Kind.CREDIT, 7));
    }

    @Test
    void an_empty_file_holds_no_payments() {
        assertThat(read("").lines()).isEmpty();
        assertThat(read("tx_id,wallet_id,kind,amount_cents\n").lines()).isEmpty();
    }

    @Test
    void repeated_tx_ids_are_kept_and_counted_as_resends() {
        var input = read("t1,w1,credit,7\nt1,w1,credit,7\nt1,w2,debit,1\n");

        assertThat(input.lines()).hasSize(3);
        assertThat(input.transactions()).isEqualTo(1);
        assertThat(input.resends()).isEqualTo(2);
    }

    @Test
    void quoted_fields_may_hold_commas_and_quotes() {
        assertThat(read("\"t,1\",\"w\"\"1\",credit,7").lines())
                .containsExactly(new Payment("t,1", "w\"1", Kind.CREDIT, 7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "t1,w1,credit,7\\nt2,w1,credit;2;found 3",
                "t1,w1,credit,7\\nt2,w1,credit,1,2;2;found 5",
                "t1,w1,credit,7\\n\\nt2,w1,transfer,1;3;not 'transfer'",
                "tx_id,wallet_id,kind,amount_cents\\nt2,w1,Credit,1;2;not 'Credit'",
                "t1,w1,credit,1\\r\\nt1,w1,credit,-1\\r\\n;2;not '-1'",
                "t1,w1,credit,1.5;1;not '1.5'",
                "t1,w1,credit, 1;1;not ' 1'",
                "t1,w1,credit,;1;not ''",
                "t1,w1,credit,9223372036854775808;1;more than 9223372036854775807",
                ",w1,credit,1;1;tx_id is empty",
                "t1, ,credit,1;1;wallet_id is empty",
                "t1,w\\t1,credit,1;1;control character",
                "t1,w1,credit,1\\ntx_id,wallet_id,kind,amount_cents;2;kind must be",
                "t1,w1,credit,1\\n\"t2\"x,w1,credit,1;2;malformed CSV",
                "t1,w1,credit,1\\n\\n\"t2,w1,credit,1\\n\\n;3;malformed CSV",
            })
    void bad_input_is_refused_with_file_line_and_reason(String text, int line, String reason) {
        assertThatThrownBy(() -> read(unescape(text)))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith(file() + ":" + line + ": ")
                .hasMessageContaining(reason);
    }

    @Test
    void the_line_after_a_field_of_several_lines_is_counted_right() {
        assertThatThrownBy(() -> read("\"t\n\n1\",w1,credit,1\nt2,w1,credit,1\n"))
                .hasMessageStartingWith(file() + ":1: ")
                .hasMessageContaining("control character");
    }

    @Test
    void ids_too_long_for_a_message_are_refused_before_anything_is_stored() {
        assertThat(read("t".repeat(119) + "," + "w".repeat(128) + ",credit,1").lines())
                .hasSize(1);
        assertThatThrownBy(() -> read("t".repeat(120) + ",w,credit,1")).hasMessageContaining("120 characters");
        assertThatThrownBy(() -> read("t," + "w".repeat(129) + ",credit,1")).hasMessageContaining("129 characters");
    }

    @Test
    void credits_that_add_up_to_more_than_a_balance_can_hold_are_refused() {
        assertThat(read("t1,w1,credit," + MAX + "\nt2,w2,credit,0\nt1,w1,credit," + MAX)
                        .lines())
                .hasSize(3);
        assertThatThrownBy(() -> read("t1,w1,credit," + MAX + "\nt2,w2,credit,1"))
                .hasMessageStartingWith(file() + ":2: ")
                .hasMessageContaining("add up");
    }

    @Test
    void bytes_that_are_no_utf_8_are_refused_with_their_line() throws IOException {
        Files.write(file(), "t1,w1,credit,1\nt\u00e4,w1,credit,1\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> PaymentCsv.read(file())).hasMessage(file() + ":2: not UTF-8");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        assertThatThrownBy(() -> PaymentCsv.read(file())).hasMessage(file() + ": no such file");
        assertThatThrownBy(() -> PaymentCsv.read(directory)).hasMessage(directory + ": is a directory");
    }

    private PaymentInput read(String text) {
        try {
            Files.writeString(file(), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return PaymentCsv.read(file());
    }

    private Path file() {
        return directory.resolve("payments.csv");
    }

    private static String unescape(String text) {
        return text.replace("\\n", "\n")
                .replace("\\r", "\r")
                .replace("\\t", "\t")
                .replace("\\uFEFF", "\uFEFF");
    }
}
