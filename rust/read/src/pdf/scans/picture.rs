//! A picture of a page, and what is made of it: turned, transposed, smoothed.

/// Lines are darker than what is beside them by so many greys, at least.
const MIN_CONTRAST: u8 = 16;
/// Lines are darker by so many times what most neighbours differ by, which is noise.
const NOISE: u8 = 4;
/// So many pixels along a line are seen as one: noise is less in their mean.
const ALONG: usize = 5;

/// A picture of a page: a byte of grey for each pixel, 0 black, row by row.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The bytes.
    pub grey: Vec<u8>,
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Picture {
    /// The grey at a point, white outside.
    pub fn grey(&self, x: f32, y: f32) -> f32 {
        if x < 0.0 || y < 0.0 {
            return 255.0;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
        let (x, y) = (x as usize, y as usize);
        if x >= self.width || y >= self.height {
            return 255.0;
        }
        f32::from(self.grey.get(y * self.width + x).copied().unwrap_or(255))
    }

    /// One of its rows.
    pub fn row(&self, y: usize) -> &[u8] {
        &self.grey[y * self.width..][..self.width]
    }

    /// It turned back about its middle by an angle, clockwise and in radians. O(pixels).
    #[must_use]
    pub fn turned_back(&self, by: f32) -> Self {
        if by == 0.0 {
            return self.clone();
        }
        let (sin, cos) = by.sin_cos();
        #[allow(clippy::cast_precision_loss, reason = "pixels")]
        let [middle_x, middle_y] = [self.width as f32 / 2.0, self.height as f32 / 2.0];
        let mut grey = Vec::with_capacity(self.grey.len());
        for row in 0..self.height {
            #[allow(clippy::cast_precision_loss, reason = "pixels")]
            let y = row as f32 + 0.5 - middle_y;
            for column in 0..self.width {
                #[allow(clippy::cast_precision_loss, reason = "pixels")]
                let x = column as f32 + 0.5 - middle_x;
                let at = [middle_x + x * cos - y * sin, middle_y + x * sin + y * cos];
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a byte"
                )]
                grey.push(self.grey(at[0], at[1]) as u8);
            }
        }
        Self { grey, ..*self }
    }

    /// Its rows as columns. O(pixels).
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut grey = vec![0; self.width * self.height];
        for (y, row) in self.grey.chunks_exact(self.width).enumerate() {
            for (x, value) in row.iter().enumerate() {
                grey[x * self.height + y] = *value;
            }
        }
        Self { grey, width: self.height, height: self.width }
    }

    /// Each pixel as the mean of some beside it in its row. O(pixels).
    #[must_use]
    pub fn smoothed(&self) -> Self {
        let mut grey = Vec::with_capacity(self.grey.len());
        for row in self.grey.chunks_exact(self.width) {
            let last = row.len() - 1;
            let at = |i: usize| usize::from(row[i.saturating_sub(ALONG / 2 + 1).min(last)]);
            let mut sum: usize = (0..ALONG).map(at).sum();
            for x in 0..row.len() {
                sum = sum + at(x + ALONG) - at(x);
                grey.push(u8::try_from(sum / ALONG).unwrap_or(u8::MAX));
            }
        }
        Self { grey, ..*self }
    }

    /// By how much lines stand out: more than noise does. O(pixels).
    pub fn contrast(&self) -> u8 {
        let mut counts = [0_usize; 256];
        for (upper, lower) in self.grey.iter().zip(self.grey.iter().skip(self.width)) {
            counts[usize::from(upper.abs_diff(*lower))] += 1;
        }
        let half = counts.iter().sum::<usize>() / 2;
        let mut n = 0;
        let usual = counts.iter().position(|count| {
            n += count;
            n > half
        });
        let usual = u8::try_from(usual.unwrap_or(0)).unwrap_or(u8::MAX);
        MIN_CONTRAST.max(usual.saturating_mul(NOISE))
    }
}

/// How many whole pixels a length has.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
pub const fn pixels(length: f32) -> usize {
    length.max(0.0) as usize
}
