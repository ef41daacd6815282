"""Operations over the stretches of positions that terms take in one document.

There are two families, which differ in what they list. Spans (end excluded) are whatever the sub-spans allow, in order of their
starts: Lucene's org.apache.lucene.queries.spans, whose iterators are followed move by move, because each match counts in the score.
Intervals (end included) are minimal: none contains another. Source: Clarke, Cormack and Burkowski, "An algebra for structured text
search", 1995; Boldi and Vigna, "Efficient optimally lazy algorithms for minimal-interval semantics", 2016, as in Lucene's
org.apache.lucene.queries.intervals.
"""

from libc.stdlib cimport qsort, realloc

cdef enum:
    NO_MORE = 0x7FFFFFFF


cdef int by_start(const void* a, const void* b) noexcept nogil:
    cdef const Stretch* x = <const Stretch*>a
    cdef const Stretch* y = <const Stretch*>b
    if x.start != y.start:
        return -1 if x.start < y.start else 1
    return (x.end > y.end) - (x.end < y.end)


cdef int by_end(const void* a, const void* b) noexcept nogil:
    cdef const Stretch* x = <const Stretch*>a
    cdef const Stretch* y = <const Stretch*>b
    if x.end != y.end:
        return -1 if x.end < y.end else 1
    return (x.start < y.start) - (x.start > y.start)


cdef bint push(Step* step, int start, int end, int rest) noexcept nogil:
    """Add a stretch; False without memory."""
    cdef void* grown
    if step.size == step.room:
        grown = realloc(step.list, (2 * step.room + 16) * sizeof(Stretch))
        if grown == NULL:
            return False
        step.list = <Stretch*>grown
        step.room = 2 * step.room + 16
    step.list[step.size] = Stretch(start, end, rest)
    step.size += 1
    return True


cdef inline int start_at(const Step* child, int at) noexcept nogil:
    return -1 if at < 0 else child.list[at].start if at < child.size else NO_MORE


cdef inline int end_at(const Step* child, int at) noexcept nogil:
    return -1 if at < 0 else child.list[at].end if at < child.size else NO_MORE


# -- spans


cdef bint ordered_near(Step* steps, Step* step) noexcept nogil:
    """The first child leads, the others only move forwards."""
    cdef Step* first = &steps[step.children[0]]
    cdef Step* child
    cdef int i, j, end, width
    for j in range(step.n):
        step.at[j] = 0
    for i in range(first.size):
        end = first.list[i].end
        width = 0
        for j in range(1, step.n):
            child = &steps[step.children[j]]
            if child.operation == GAP:
                end += child.a
                continue
            while start_at(child, step.at[j]) < end:
                step.at[j] += 1
            if step.at[j] >= child.size:
                return True
            width += child.list[step.at[j]].start - end
            end = child.list[step.at[j]].end
        if width <= step.a and not push(step, first.list[i].start, end, width):
            return False
    return True


cdef bint unordered_near(Step* steps, Step* step) noexcept nogil:
    cdef Step* child
    cdef int j, low, last = -1, total = 0
    for j in range(step.n):
        child = &steps[step.children[j]]
        if child.size == 0:
            return True
        step.at[j] = 0
        total += child.list[0].end - child.list[0].start
        last = max(last, child.list[0].end)
    while True:
        low = 0
        for j in range(1, step.n):
            if by_start(&steps[step.children[j]].list[step.at[j]], &steps[step.children[low]].list[step.at[low]]) < 0:
                low = j
        child = &steps[step.children[low]]
        j = child.list[step.at[low]].start
        if last - j - total <= step.a and not push(step, j, last, last - j):
            return False
        total -= child.list[step.at[low]].end - j
        step.at[low] += 1
        if step.at[low] >= child.size:
            return True
        total += child.list[step.at[low]].end - child.list[step.at[low]].start
        last = max(last, child.list[step.at[low]].end)


cdef bint keep_spans(Step* steps, Step* step) noexcept nogil:
    """The spans of the first child that the second, if there is one, or a bound allows."""
    cdef Step* first = &steps[step.children[0]]
    cdef Step* second = &steps[step.children[step.n - 1]]
    cdef Stretch* one
    cdef int i, j = 0
    cdef bint kept
    for i in range(first.size):
        one = &first.list[i]
        if step.operation == SPAN_FIRST:
            kept = one.end <= step.a
        elif step.operation == SPAN_NOT:
            while j < second.size and second.list[j].end <= one.start - step.a:
                j += 1
            kept = j >= second.size or second.list[j].start - step.b >= one.end
        elif step.operation == SPAN_CONTAINING:
            while j < second.size and second.list[j].start < one.start:
                j += 1
            if j >= second.size:
                return True
            kept = one.end >= second.list[j].end
        else:
            while j < second.size and second.list[j].end < one.end:
                j += 1
            if j >= second.size:
                return True
            kept = second.list[j].start <= one.start
        if kept and not push(step, one.start, one.end, one.rest):
            return False
    return True


# -- intervals


cdef bint gather(Step* steps, Step* step) noexcept nogil:
    """The stretches of all children."""
    cdef Step* child
    cdef int i, j
    for j in range(step.n):
        child = &steps[step.children[j]]
        for i in range(child.size):
            if not push(step, child.list[i].start, child.list[i].end, child.list[i].rest):
                return False
    return True


cdef void minimal(Step* step) noexcept nogil:
    """Keep those that contain no other."""
    cdef int i, kept = 0
    if step.size:
        qsort(step.list, step.size, sizeof(Stretch), by_end)
    for i in range(step.size):
        if kept and step.list[kept - 1].start >= step.list[i].start:
            continue
        step.list[kept] = step.list[i]
        kept += 1
    step.size = kept


cdef bint block(Step* steps, Step* step) noexcept nogil:
    cdef Step* first = &steps[step.children[0]]
    cdef Step* child
    cdef int i, j, end
    for j in range(step.n):
        step.at[j] = 0
    for i in range(first.size):
        end = first.list[i].end
        for j in range(1, step.n):
            child = &steps[step.children[j]]
            while start_at(child, step.at[j]) <= end:
                step.at[j] += 1
            if step.at[j] >= child.size:
                return True
            if child.list[step.at[j]].start != end + 1:
                break
            end = child.list[step.at[j]].end
        else:
            if not push(step, first.list[i].start, end, 0):
                return False
    return True


cdef int gaps(Step* steps, Step* step, int start, int end) noexcept nogil:
    """The positions from start to end that no child takes where it stands."""
    cdef int j, rest = end - start + 1
    for j in range(step.n):
        rest -= end_at(&steps[step.children[j]], step.at[j]) - start_at(&steps[step.children[j]], step.at[j]) + 1
    return rest


cdef bint ordered(Step* steps, Step* step) noexcept nogil:
    """Children one after the other, none overlapping; each match is shrunk from the left before it counts."""
    cdef int i = 1, n = step.n, start, end, rest = 0, last_start, j
    cdef bint minimizing, done
    for j in range(n):
        step.at[j] = -1
    step.at[0] = 0
    while True:
        start = NO_MORE
        end = NO_MORE
        last_start = NO_MORE
        minimizing = False
        done = False
        while not done:
            while True:
                if end_at(&steps[step.children[i - 1]], step.at[i - 1]) >= last_start:
                    done = True
                    break
                if i == n or (
                    minimizing
                    and start_at(&steps[step.children[i]], step.at[i]) > end_at(&steps[step.children[i - 1]], step.at[i - 1])
                ):
                    break
                while True:
                    if end_at(&steps[step.children[i]], step.at[i]) >= last_start:
                        done = True
                        break
                    step.at[i] += 1
                    if step.at[i] >= steps[step.children[i]].size:
                        done = True
                        break
                    if start_at(&steps[step.children[i]], step.at[i]) > end_at(&steps[step.children[i - 1]], step.at[i - 1]):
                        break
                if done:
                    break
                i += 1
            if done:
                break
            start = start_at(&steps[step.children[0]], step.at[0])
            end = end_at(&steps[step.children[n - 1]], step.at[n - 1])
            rest = gaps(steps, step, start, end)
            last_start = start_at(&steps[step.children[n - 1]], step.at[n - 1])
            i = 1
            step.at[0] += 1
            if step.at[0] >= steps[step.children[0]].size:
                break
            minimizing = True
        if start == NO_MORE:
            return True
        if not push(step, start, end, rest):
            return False


cdef int least_of(Step* steps, Step* step) noexcept nogil:
    """The child that starts first, of several the one that ends last."""
    cdef int j, low = 0
    cdef Stretch* one
    cdef Stretch* best
    for j in range(1, step.n):
        one = &steps[step.children[j]].list[step.at[j]]
        best = &steps[step.children[low]].list[step.at[low]]
        if one.start < best.start or (one.start == best.start and one.end > best.end):
            low = j
    return low


cdef bint unordered(Step* steps, Step* step) noexcept nogil:
    cdef int j, low, start = -1, end, rest, right = -1
    cdef Step* child
    for j in range(step.n):
        if steps[step.children[j]].size == 0:
            return True
        step.at[j] = 0
        right = max(right, steps[step.children[j]].list[0].end)
    while True:
        while True:  # past the match before
            low = least_of(steps, step)
            child = &steps[step.children[low]]
            if child.list[step.at[low]].start != start:
                break
            step.at[low] += 1
            if step.at[low] >= child.size:
                return True
            right = max(right, child.list[step.at[low]].end)
        while True:  # shrink
            low = least_of(steps, step)
            child = &steps[step.children[low]]
            start = child.list[step.at[low]].start
            end = right
            rest = gaps(steps, step, start, end)
            if child.list[step.at[low]].end == end:
                break
            step.at[low] += 1
            if step.at[low] >= child.size:
                return push(step, start, end, rest)
            right = max(right, child.list[step.at[low]].end)
            if right != end:
                break
        if not push(step, start, end, rest):
            return False


cdef bint repeated(Step* steps, Step* step) noexcept nogil:
    """So many stretches of the child in a row."""
    cdef Step* child = &steps[step.children[0]]
    cdef int i, j, rest
    for i in range(child.size - step.a + 1):
        rest = child.list[i + step.a - 1].end - child.list[i].start + 1
        for j in range(step.a):
            rest -= child.list[i + j].end - child.list[i + j].start + 1
        if not push(step, child.list[i].start, child.list[i + step.a - 1].end, rest):
            return False
    return True


cdef bint changed(Step* steps, Step* step) noexcept nogil:
    """The intervals of the only child, widened or with few gaps."""
    cdef Step* child = &steps[step.children[0]]
    cdef int i
    for i in range(child.size):
        if step.operation == EXTEND:
            if not push(step, max(0, child.list[i].start - step.a), child.list[i].end, child.list[i].rest):
                return False
        elif child.list[i].rest <= step.a:
            if not push(step, child.list[i].start, child.list[i].end, child.list[i].rest):
                return False
    return True


cdef bint related(Step* steps, Step* step) noexcept nogil:
    """The intervals of the first child that lie to those of the second as the operation says."""
    cdef Step* first = &steps[step.children[0]]
    cdef Step* second = &steps[step.children[1]]
    cdef Operation operation = step.operation
    cdef Stretch* one
    cdef int i, j = 0
    cdef bint kept
    for i in range(first.size):
        one = &first.list[i]
        # starts and ends both grow: the first of the others that could do is the best one
        if operation == CONTAINING:
            while j < second.size and second.list[j].start < one.start:
                j += 1
            kept = j < second.size and second.list[j].end <= one.end
        elif operation == NOT_CONTAINING:  # as Lucene has it: nor may the other reach in from one side
            while j < second.size and second.list[j].start < one.start and second.list[j].end < one.end:
                j += 1
            kept = j < second.size and second.list[j].start <= one.end
        elif operation == CONTAINED_BY or operation == NOT_CONTAINED_BY:
            while j < second.size and second.list[j].end < one.end:
                j += 1
            kept = j < second.size and second.list[j].start <= one.start
        elif operation == OVERLAPPING or operation == NOT_OVERLAPPING:
            while j < second.size and second.list[j].end < one.start:
                j += 1
            kept = j < second.size and second.list[j].start <= one.end
        elif operation == BEFORE:
            kept = second.size > 0 and one.end < second.list[second.size - 1].start
        else:
            kept = second.size > 0 and one.start > second.list[0].end
        if operation == NOT_CONTAINING or operation == NOT_CONTAINED_BY or operation == NOT_OVERLAPPING:
            kept = not kept
        if kept and not push(step, one.start, one.end, one.rest):
            return False
    return True


cdef bint run_step(Step* steps, Step* step) noexcept nogil:
    """Make the list of an operation that is no leaf; False without memory."""
    cdef Operation operation = step.operation
    step.size = 0
    if operation == SPAN_OR:
        if not gather(steps, step):
            return False
        if step.size:
            qsort(step.list, step.size, sizeof(Stretch), by_start)
        return True
    if operation == ORDERED_NEAR:
        return ordered_near(steps, step)
    if operation == UNORDERED_NEAR:
        return unordered_near(steps, step)
    if operation <= SPAN_WITHIN:
        return keep_spans(steps, step)
    if operation == ANY:
        if not gather(steps, step):
            return False
        minimal(step)
        return True
    if operation == BLOCK:
        return block(steps, step)
    if operation == ORDERED:
        return ordered(steps, step)
    if operation == UNORDERED:
        return unordered(steps, step)
    if operation == REPEAT:
        return repeated(steps, step)
    if operation == EXTEND or operation == MOST_GAPS:
        return changed(steps, step)
    return related(steps, step)
