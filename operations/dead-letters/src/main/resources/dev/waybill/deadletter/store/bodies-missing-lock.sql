-- Locks those of the letters {0} that have no body yet. The body of an archived letter belongs into the archive.
select m.id
from waybill.dead_letter_message m join waybill.dead_letter_state s using (id)
where m.id = any({0}) and m.emptied = 'without-body' and s.state <> 'archived'
order by m.id
for update of m, s
